import { describe, expect, it } from "@jest/globals";
import { rightsOver } from "./message-rights.ts";

const message = { senderId: "ada", delivery: "sent", deletedAt: null } as const;
const granted = (...args: Parameters<typeof rightsOver>) =>
  Object.entries(rightsOver(...args)).flatMap(([name, may]) => (may ? [name] : []));

describe("rights over a message", () => {
  it("are the author's, and in part the moderators'", () => {
    expect(granted(message, "ada", "member")).toEqual(["answer", "copy", "edit", "remove"]);
    expect(granted(message, "ben", "member")).toEqual(["answer", "copy"]);
    expect(granted(message, "ben", "moderator")).toEqual(["answer", "copy", "remove"]);
  });

  it("wait until it is out, and end with its removal", () => {
    expect(granted({ ...message, delivery: "pending" }, "ada", "owner")).toEqual(["copy"]);
    expect(granted({ ...message, delivery: "failed" }, "ada", "owner")).toEqual(["copy", "resend"]);
    expect(granted({ ...message, deletedAt: 1 }, "ada", "owner")).toEqual([]);
  });
});
