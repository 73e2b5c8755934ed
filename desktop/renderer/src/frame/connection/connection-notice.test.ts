import { describe, expect, it } from "@jest/globals";
import { isInterrupted, isReturn, noticeOf } from "./connection-notice.ts";

const NOW = 1_000_000;
const online = { status: "online", attempts: 0, retryAt: null, offlineSince: null, reason: null } as const;
const away = {
  ...online,
  status: "waiting",
  attempts: 2,
  offlineSince: NOW - 5_000,
  retryAt: NOW + 3_200,
} as const;

describe("the notice about a connection", () => {
  it("is none while it is there, and none for the first two seconds without it", () => {
    expect(noticeOf(online, "authorized", true, NOW)).toBeNull();
    expect(noticeOf({ ...away, offlineSince: NOW - 1_999 }, "authorized", true, NOW)).toBeNull();
    expect(noticeOf({ ...away, offlineSince: NOW - 2_000 }, "authorized", true, NOW)).not.toBeNull();
  });

  it("counts down to the next try, and says when one is on", () => {
    expect(noticeOf(away, "authorized", true, NOW)).toEqual({ kind: "waiting", seconds: 4 });
    expect(noticeOf(away, "authorized", true, NOW + 3_200)).toEqual({ kind: "connecting", attempts: 2 });
    expect(noticeOf({ ...away, status: "connecting" }, "authorized", true, NOW)).toMatchObject({
      kind: "connecting",
    });
  });

  it("blames the network only when this device has none", () => {
    expect(noticeOf(away, "authorized", false, NOW)).toEqual({ kind: "no-network" });
    expect(noticeOf(online, "authorized", false, NOW)).toBeNull();
  });

  it("tells at once when the connection ended for good", () => {
    const ended = { ...away, status: "ended", offlineSince: NOW } as const;
    expect(noticeOf({ ...ended, reason: "superseded" }, "authorized", true, NOW)).toEqual({
      kind: "superseded",
    });
    expect(noticeOf({ ...ended, reason: "banned" }, "authorized", true, NOW)).toEqual({
      kind: "ended",
      reason: "banned",
    });
  });

  it("leaves it to the notice about signing in", () => {
    expect(noticeOf(away, "needs-sign-in", true, NOW)).toBeNull();
    expect(noticeOf({ ...away, status: "ended" }, "working", true, NOW)).toBeNull();
  });
});

describe("an interruption", () => {
  it("is not the first try of a page that was just opened", () => {
    expect([undefined, online, { ...online, status: "connecting" as const }].map(isInterrupted)).toEqual([
      false,
      false,
      false,
    ]);
    expect([away, { ...away, status: "connecting" as const }].map(isInterrupted)).toEqual([true, true]);
    expect(isInterrupted({ ...away, status: "ended" })).toBe(true);
  });
});

describe("reconnecting", () => {
  it("is told after an outage that was told, and only then", () => {
    expect(isReturn(away, online, NOW)).toBe(true);
    expect(isReturn({ ...away, offlineSince: NOW - 500 }, online, NOW)).toBe(false);
    expect(isReturn({ ...online, status: "connecting" }, online, NOW)).toBe(false);
    expect(isReturn(away, away, NOW)).toBe(false);
  });
});
