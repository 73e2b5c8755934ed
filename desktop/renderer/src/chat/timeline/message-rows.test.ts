import { describe, expect, it } from "@jest/globals";
import type { TimelineMessage } from "@hearth/client";
import { rowsOf } from "./message-rows.ts";

const MINUTE = 60_000;
const message = (id: string, minutes: number, changes: Partial<TimelineMessage> = {}): TimelineMessage => ({
  id,
  roomId: "room",
  channelId: "channel",
  senderId: "ada",
  senderDisplayName: "Ada",
  content: id,
  replyToId: null,
  mentions: [],
  timestamp: minutes * MINUTE,
  revision: 0,
  editedAt: null,
  deletedAt: null,
  delivery: "sent",
  clientInstanceId: null,
  updatedAt: 0,
  reactions: [],
  attachments: [],
  repliesTo: null,
  problem: null,
  ...changes,
});

const about = {
  divider: null,
  hasOlder: false,
  dayOf: (time: number) => String(Math.floor(time / 86_400_000)),
};
const starts = (rows: ReturnType<typeof rowsOf>, what: "startsDay" | "startsUnread" | "startsGroup") =>
  rows.flatMap((row) => (row[what] ? [row.message.id] : []));

describe("rows of messages", () => {
  it("group what one person writes within five minutes", () => {
    const rows = rowsOf(
      [
        message("a", 0),
        message("b", 4),
        message("c", 9),
        message("d", 10, { senderId: "ben", senderDisplayName: "Ben" }),
        message("e", 11, { senderId: "ben", senderDisplayName: "Ben", replyToId: "a" }),
        message("f", 12, { senderId: "ben", senderDisplayName: "Ben", deletedAt: 1 }),
        message("g", 12, { senderId: "ben", senderDisplayName: "Ben" }),
      ],
      about,
    );
    expect(starts(rows, "startsGroup")).toEqual(["a", "c", "d", "e", "f", "g"]);
  });

  it("start a day with its first message, and a group with the day", () => {
    const rows = rowsOf([message("a", 24 * 60 - 1), message("b", 24 * 60), message("c", 24 * 60 + 1)], about);
    expect(starts(rows, "startsDay")).toEqual(["a", "b"]);
    expect(starts(rows, "startsGroup")).toEqual(["a", "b"]);
  });

  it("divide where the unread ones began, by time and then by id", () => {
    const messages = [message("a", 1), message("b", 1), message("c", 1)];
    const rows = rowsOf(messages, { ...about, divider: { timestamp: MINUTE, id: "b" } });
    expect(starts(rows, "startsUnread")).toEqual(["b"]);
    expect(starts(rows, "startsGroup")).toEqual(["a", "b"]);
    const gone = rowsOf(messages, { ...about, divider: { timestamp: MINUTE, id: "ab" } });
    expect(starts(gone, "startsUnread")).toEqual(["b"]);
  });

  it("have no divider where the unread ones began before the window or behind it", () => {
    const messages = [message("b", 2), message("c", 3)];
    const divided = (timestamp: number, hasOlder: boolean) =>
      starts(rowsOf(messages, { ...about, hasOlder, divider: { timestamp, id: "x" } }), "startsUnread");
    expect(divided(MINUTE, true)).toEqual([]);
    expect(divided(MINUTE, false)).toEqual(["b"]);
    expect(divided(9 * MINUTE, false)).toEqual([]);
  });
});
