import { describe, expect, it } from "@jest/globals";
import { channelKey } from "@hearth/client";
import { badgeOfRoom, badgeOfServer, needsSignIn } from "./badge.ts";

const room = (id: string, muted = false) => ({
  id,
  muted,
  channels: [
    { id: "text", name: "general", kind: "text" as const, position: 0 },
    { id: "voice", name: "table", kind: "voice" as const, position: 1 },
  ],
});

const activity = (counts: Readonly<Record<string, readonly [messages: number, mentions: number]>>) =>
  new Map(
    Object.entries(counts).map(([roomId, [messages, mentions]]) => [
      channelKey({ roomId, channelId: "text" }),
      { messages, mentions },
    ]),
  );

describe("the badge of a room", () => {
  it("is its mentions before what is unread, and nothing when all was read", () => {
    expect(badgeOfRoom(room("a"), activity({ a: [5, 2] }))).toEqual({ kind: "mentions", count: 2 });
    expect(badgeOfRoom(room("a"), activity({ a: [5, 0] }))).toEqual({ kind: "unread" });
    expect(badgeOfRoom(room("a"), activity({ a: [0, 0] }))).toBeNull();
    expect(badgeOfRoom(room("a"), activity({}))).toBeNull();
  });

  it("of a muted room is only its mentions", () => {
    expect(badgeOfRoom(room("a", true), activity({ a: [5, 0] }))).toBeNull();
    expect(badgeOfRoom(room("a", true), activity({ a: [5, 1] }))).toEqual({ kind: "mentions", count: 1 });
  });

  it("does not count channels for voice", () => {
    const spoken = new Map([[channelKey({ roomId: "a", channelId: "voice" }), { messages: 4, mentions: 1 }]]);
    expect(badgeOfRoom(room("a"), spoken)).toBeNull();
  });
});

const server = (
  authorization: "authorized" | "working" | "needs-sign-in",
  failure: "expired" | null = null,
) => ({
  authorization,
  failure,
  account: null,
});

describe("the badge of a signaling server", () => {
  const rooms = [room("a"), room("b", true)];

  it("is one: sign-in, then the sum of mentions, then unread", () => {
    const busy = activity({ a: [5, 2], b: [9, 3] });
    expect(badgeOfServer(server("needs-sign-in", "expired"), rooms, busy, false)).toEqual({
      kind: "sign-in",
    });
    expect(badgeOfServer(server("authorized"), rooms, busy, false)).toEqual({ kind: "mentions", count: 5 });
    expect(badgeOfServer(server("working"), rooms, activity({ a: [5, 0] }), false)).toEqual({
      kind: "unread",
    });
    expect(badgeOfServer(server("authorized"), rooms, activity({ b: [5, 0] }), false)).toBeNull();
  });

  it("asks for no sign-in where there never was an account", () => {
    expect(needsSignIn(server("needs-sign-in"))).toBe(false);
    expect(needsSignIn({ ...server("needs-sign-in"), failure: "missing" })).toBe(true);
    const account = { userId: "u", username: "u", displayName: "U", expiresAt: 1, autoProvisioned: true };
    expect(needsSignIn({ ...server("needs-sign-in"), account })).toBe(true);
  });

  it("of a muted one is never unread", () => {
    expect(badgeOfServer(server("authorized"), rooms, activity({ a: [5, 0] }), true)).toBeNull();
    expect(badgeOfServer(server("authorized"), rooms, activity({ a: [5, 1] }), true)).toMatchObject({
      count: 1,
    });
  });
});
