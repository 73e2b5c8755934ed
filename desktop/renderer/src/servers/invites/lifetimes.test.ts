import { describe, expect, it } from "@jest/globals";
import { format, toldEnd } from "../../strings/format.ts";
import { inviteBody } from "./lifetimes.ts";

const NOW = 1_000_000_000;
const DAY_MS = 86_400_000;

describe("an invite", () => {
  it("says only what is limited", () => {
    expect(inviteBody("never", "any", NOW)).toEqual({});
    expect(inviteBody("week", "ten", NOW)).toEqual({ expiresAt: NOW + 7 * DAY_MS, maxUses: 10 });
  });

  it("ends in as many days as were chosen, not in one less", () => {
    const told = (left: number) => format.relative(toldEnd(NOW + left, NOW), NOW);
    expect(told(7 * DAY_MS - 900)).toBe(format.relative(NOW + 7 * DAY_MS, NOW));
    expect(told(20 * 60_000)).toBe(format.relative(NOW + 20 * 60_000, NOW));
  });
});
