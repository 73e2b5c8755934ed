import { manualClock } from "@hearth/runtime/testing";
import { describe, expect, it } from "@jest/globals";
import { PresenceChanges } from "./presence-changes.ts";

const change = (version: number, oderId = "ada") => ({ oderId, version });

describe("changes in a room", () => {
  it("WS8 are news once, and not behind a newer one", () => {
    const changes = new PresenceChanges(manualClock());
    const heard = [3, 3, 2, 4, 1].map((version) => changes.isNews("room", change(version)));
    expect(heard).toEqual([true, false, false, true, false]);
  });

  it("WS8 are apart for each user and each room", () => {
    const changes = new PresenceChanges(manualClock());
    changes.isNews("room", change(9));
    expect(changes.isNews("room", change(1, "bob"))).toBe(true);
    expect(changes.isNews("other", change(1))).toBe(true);
  });

  it("WS8 are forgotten after a while", () => {
    const clock = manualClock();
    const changes = new PresenceChanges(clock);
    changes.isNews("room", change(9));
    clock.advance(59_000);
    changes.sweep();
    expect(changes.isNews("room", change(9))).toBe(false);
    clock.advance(1_000);
    changes.sweep();
    expect(changes.isNews("room", change(9))).toBe(true);
  });
});
