import { ProblemError } from "@hearth/contracts";
import { describe, expect, it } from "@jest/globals";
import { deliveredEnvelope } from "./envelope.ts";

const USER = "0197a1f0-0000-7000-8000-000000000001";
const TAB = "0197a1f0-0000-7000-8000-00000000000a";
const envelope = (payload: unknown, extra: object = {}) => ({
  type: "account_sync",
  clientInstanceId: TAB,
  payload,
  ...extra,
});

const problemOf = (work: () => unknown): ProblemError => {
  try {
    work();
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
};

describe("account_sync envelopes", () => {
  it("AS1 sets fromUserId, even where the client set it, and leaves the rest unchanged", () => {
    const sent = envelope(
      { type: "friend-removed", userId: "u1", note: [1, { a: null }] },
      { mine: "kept", fromUserId: "x" },
    );
    expect(deliveredEnvelope(sent, USER)).toEqual({ ...sent, fromUserId: USER });
  });

  it.each([
    ["no payload", undefined],
    ["null", null],
    ["a string", "chat-message"],
    ["an array", []],
    ["no type", { message: {} }],
    ["a number as type", { type: 7 }],
    ["an empty type", { type: "" }],
  ])("AS2 refuses a payload that is %s", (_, payload) => {
    expect(problemOf(() => deliveredEnvelope(envelope(payload), USER)).code).toBe("INVALID_REQUEST");
  });

  it("AS2 relays a payload of an unknown type unchanged, prototype keys included", () => {
    const payload = JSON.parse(
      '{"type":"server-icon","__proto__":{"admin":true},"data":{"path":"kept"}}',
    ) as object;
    const delivered = deliveredEnvelope(envelope(payload), USER);
    expect(JSON.stringify(delivered.payload)).toBe(JSON.stringify(payload));
    expect(Object.prototype).not.toHaveProperty("admin");
  });

  it("AS2 strips every local path from the attachments of a chat-sync-batch, at any depth", () => {
    const payload = {
      type: "chat-sync-batch",
      roomId: "r1",
      messages: [
        {
          id: "m1",
          content: "see file:///kept in text",
          attachments: [{ id: "a1", localPath: "/home/me/a" }],
        },
      ],
      attachments: {
        m1: [
          {
            id: "a1",
            filename: "a.png",
            size: 3,
            mime: "image/png",
            hash: "h",
            filePath: "/home/me/a.png",
            localPath: "C:\\a.png",
            path: "/a",
            url: "file:///home/me/a.png",
            preview: { path: "/tmp/p", width: 9, sources: ["FILE:///x", "https://e.example/x"] },
          },
        ],
      },
      final: true,
    };
    expect(deliveredEnvelope(envelope(payload), USER).payload).toEqual({
      type: "chat-sync-batch",
      roomId: "r1",
      messages: [{ id: "m1", content: "see file:///kept in text", attachments: [{ id: "a1" }] }],
      attachments: {
        m1: [
          {
            id: "a1",
            filename: "a.png",
            size: 3,
            mime: "image/png",
            hash: "h",
            preview: { width: 9, sources: ["https://e.example/x"] },
          },
        ],
      },
      final: true,
    });
  });

  it.each([
    ["chat-message", { message: { id: "m1", content: "hi", mood: "good" } }, { message: "hi" }],
    [
      "message-revision",
      { roomId: "r", messageId: "m", revision: { content: "x" } },
      { roomId: "r", revision: {} },
    ],
    [
      "chat-sync-batch",
      { roomId: "r", messages: [], attachments: {}, final: false },
      { roomId: "r", messages: {} },
    ],
    ["saved-room-sync", { room: { id: "r" } }, { room: "r" }],
    ["saved-room-remove", { roomId: "r" }, {}],
    ["user-avatar-full", { avatar: "data", card: { text: "hello" } }, null],
    [
      "user-avatar-chunk",
      { transferId: "t", index: 0, total: 1, data: "AA" },
      { transferId: "t", index: "0" },
    ],
    ["custom-emoji-full", { emoji: [] }, { emoji: "all" }],
    [
      "custom-emoji-chunk",
      { transferId: "t", index: -1, total: 0, data: "" },
      { index: 0, total: 1, data: "" },
    ],
    ["friend-added", { friend: { id: "u" } }, { friend: 1 }],
    ["friend-removed", { userId: "u" }, { userId: null }],
  ])("AS3 knows the shape of %s", (type, good, bad) => {
    expect(deliveredEnvelope(envelope({ type, ...good }), USER).payload).toEqual({ type, ...good });
    if (bad) {
      const { extras } = problemOf(() => deliveredEnvelope(envelope({ type, ...bad }), USER));
      expect(extras.errors?.[0]?.path).toMatch(/^payload\./);
    }
  });

  it("AS4 delivers equal envelopes for repeated sends and keeps the sender's clientInstanceId", () => {
    const sent = envelope({ type: "saved-room-sync", room: { id: "r" } });
    expect(deliveredEnvelope(sent, USER)).toEqual(deliveredEnvelope(sent, USER));
    expect(deliveredEnvelope(sent, USER).clientInstanceId).toBe(TAB);
  });
});
