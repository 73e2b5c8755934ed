import { describe, expect, it } from "@jest/globals";
import { peopleById } from "./people-by-id.ts";

describe("people of a conversation", () => {
  it("are its members under their newest name, and those who wrote and left", () => {
    const authors = [
      { senderId: "1", senderDisplayName: "Ada L." },
      { senderId: "2", senderDisplayName: "Ben" },
    ];
    expect([...peopleById([{ userId: "1", displayName: "Ada" }], authors).values()]).toEqual([
      { userId: "1", displayName: "Ada" },
      { userId: "2", displayName: "Ben" },
    ]);
  });

  it("stay the same map while nobody joins or changes their name", () => {
    const author = { senderId: "1", senderDisplayName: "Ada" };
    const before = peopleById([], [author]);
    expect(peopleById([], [author, author], before)).toBe(before);
    expect(peopleById([], [author, { senderId: "2", senderDisplayName: "Ben" }], before)).not.toBe(before);
    expect(peopleById([{ userId: "1", displayName: "Ada L." }], [author], before)).not.toBe(before);
  });
});
