import { describe, expect, it } from "@jest/globals";
import { aMessage, aRoom, T0 } from "@hearth/store/testing";
import { toBase64 } from "../base64.ts";
import { sha256Hex } from "../digest.ts";
import { checkedPayload } from "./payload-schemas.ts";

const bytes = Uint8Array.of(1, 2, 3);
const picture = { hash: sha256Hex(bytes), mime: "image/png", data: toBase64(bytes) };
const card = { username: "ada", displayName: "Ada", cardText: "", updatedAt: T0 };
const emoji = { ...picture, id: "e-1", shortcode: "leaf", updatedAt: T0 };
const room = aRoom({ signalServerUrl: "HTTPS://Chat.Example:443/" });

describe("account-sync payloads", () => {
  it("are dropped if their type is unknown (rule AS2)", () => {
    expect(checkedPayload({ type: "server_icon_full" })).toBeNull();
    expect(checkedPayload({ type: "toString" })).toBeNull();
  });

  it("may lack optional fields", () => {
    const { id, roomId, senderId, content, timestamp } = aMessage("m-1");
    const message = { id, roomId, senderId, content, timestamp };
    expect(checkedPayload({ type: "chat-message", message } as never)).toMatchObject({
      message: { channelId: null, mentions: [], edits: [], deletedAt: null, reactions: [] },
    });
    expect(checkedPayload({ type: "saved-room-remove", roomId: "r" } as never)).toEqual({
      type: "saved-room-remove",
      roomId: "r",
    });
    expect(checkedPayload({ type: "user-avatar-full", card } as never)).toMatchObject({ avatar: null });
  });

  it("normalise URLs", () => {
    expect(checkedPayload({ type: "saved-room-sync", room } as never)).toMatchObject({
      room: { signalServerUrl: "https://chat.example" },
    });
  });

  it("keep the valid items of a batch", () => {
    const payload = {
      type: "chat-sync-batch",
      roomId: "room-1",
      messages: [aMessage("m-1"), { id: 7 }, null, aMessage("m-2")],
    };
    expect(checkedPayload(payload)).toMatchObject({ messages: [{ id: "m-1" }, { id: "m-2" }], final: false });
  });

  it("AS2 never accept local paths of another device", () => {
    const file = { id: "a", filename: "leaf.png", size: 1, mime: "image/png", hash: "h" };
    const payload = {
      type: "chat-sync-batch",
      roomId: "room-1",
      messages: [aMessage("m-1")],
      attachments: {
        "m-1": [
          { ...file, filePath: "/a", localPath: "/b", path: "/c", isLocal: true },
          { ...file, filename: "file:///d" },
        ],
      },
    };
    expect(checkedPayload(payload)).toMatchObject({ attachments: { "m-1": [file] } });
    expect(JSON.stringify(checkedPayload(payload))).not.toMatch(/"\/[abc]"|file:|isLocal/);
  });

  it.each([
    ["a message without an id", { type: "chat-message", message: { ...aMessage("m-1"), id: "" } }],
    ["a time that is none", { type: "chat-message", message: { ...aMessage("m-1"), timestamp: -1 } }],
    ["a room on no server", { type: "saved-room-sync", room: { ...room, signalServerUrl: "ftp://x" } }],
    [
      "a picture that is not its hash",
      { type: "user-avatar-full", avatar: { ...picture, data: "AAAA" }, card },
    ],
    ["text that is no base64", { type: "user-avatar-full", avatar: { ...picture, data: "%%%" }, card }],
    [
      "far too long a text",
      { type: "chat-message", message: aMessage("m", { content: "x".repeat(70_000) }) },
    ],
    ["a list as payload", { type: "friend-added", friend: [] }],
  ])("are dropped with %s", (_, payload) => {
    expect(checkedPayload(payload)).toBeNull();
  });

  it("accept an emoji only with bytes that match its hash", () => {
    const payload = { type: "custom-emoji-full", emoji: [emoji, { ...emoji, id: "e-2", data: "AAAA" }] };
    expect(checkedPayload(payload)).toMatchObject({ emoji: [{ id: "e-1", data: bytes }] });
    expect(checkedPayload(payload)).toHaveProperty("emoji.length", 1);
  });
});
