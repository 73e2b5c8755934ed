import { describe, expect, it } from "@jest/globals";
import { digestOf } from "../digest.ts";
import { messageDigest } from "./synced-messages.ts";

describe("the digest of a message", () => {
  it("AS4 reads the fields in the order that every version of the client uses", () => {
    const message = {
      mentions: ["user-2"],
      replyToId: "m-0",
      timestamp: 5,
      content: "hello",
      clientInstanceId: "device-1",
      senderDisplayName: "Ada",
      senderId: "user-1",
      channelId: null,
      roomId: "room-1",
      id: "m-1",
      edits: [{ content: "hello there", revision: 1, editedAt: 6 }],
      deletedAt: null,
      reactions: [{ emoji: "⛵", userId: "user-2", present: true, at: 7 }],
    };
    expect(messageDigest(message)).toBe(
      digestOf([
        "m-1",
        "room-1",
        null,
        "user-1",
        "Ada",
        "hello",
        5,
        "m-0",
        ["user-2"],
        "device-1",
        [[1, 6, "hello there"]],
        null,
        [["⛵", "user-2", true, 7]],
      ]),
    );
  });
});
