import { describe, expect, it } from "@jest/globals";
import type { SessionInfo } from "@hearth/contracts";
import { clientName, inOrder } from "./sessions.ts";

const session = (id: string, lastUsedAt: number, current = false): SessionInfo => ({
  id,
  current,
  createdAt: 0,
  lastUsedAt,
  expiresAt: 0,
  ip: null,
  userAgent: null,
  deviceName: null,
});

describe("the list of devices", () => {
  it("has this one first, then the one used last", () => {
    const sessions = [session("a", 1), session("b", 3), session("c", 2, true)];
    expect(inOrder(sessions).map(({ id }) => id)).toEqual(["c", "b", "a"]);
  });

  it.each([
    [null, null],
    ["curl/8.11.0", "curl"],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox · Linux"],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0",
      "Edge · Windows",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1",
      "Safari · iOS",
    ],
    ["something else", null],
  ])("names %j %j", (userAgent, name) => expect(clientName(userAgent)).toBe(name));
});
