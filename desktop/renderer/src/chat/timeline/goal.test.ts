import { describe, expect, it } from "@jest/globals";
import type { TimelineMessage } from "@hearth/client";
import { targetOf } from "./goal.ts";

const messages = [1, 2, 3].map((timestamp) => ({ timestamp, id: `m${timestamp}` }) as TimelineMessage);
const window = { messages, hasOlder: false, hasNewer: false, divider: null };
const divider = { timestamp: 2, id: "m2" };

describe("where the list scrolls to", () => {
  it("is the first unread message when a channel is entered, else the newest", () => {
    expect(targetOf({ kind: "start" }, { ...window, divider })).toEqual({ index: 1, align: "start" });
    expect(targetOf({ kind: "start" }, window)).toEqual({ index: 2, align: "end" });
    expect(targetOf({ kind: "start" }, { ...window, divider: { timestamp: 9, id: "x" } })).toEqual({
      index: 2,
      align: "end",
    });
    expect(targetOf({ kind: "start" }, { ...window, messages: [] })).toBeNull();
  });

  it("waits until what was asked for is in the window", () => {
    expect(targetOf({ kind: "message", id: "m3" }, window)).toEqual({ index: 2, align: "center" });
    expect(targetOf({ kind: "message", id: "gone" }, window)).toBeNull();
    expect(targetOf({ kind: "newest" }, { ...window, hasNewer: true })).toBeNull();
    expect(
      targetOf({ kind: "position", position: { timestamp: 0, id: "m0" } }, { ...window, hasOlder: true }),
    ).toBeNull();
    expect(targetOf({ kind: "position", position: { timestamp: 0, id: "m0" } }, window)).toMatchObject({
      index: 0,
    });
    expect(
      targetOf({ kind: "position", position: { timestamp: 1, id: "m1" } }, { ...window, hasOlder: true }),
    ).toMatchObject({
      index: 0,
    });
  });
});
