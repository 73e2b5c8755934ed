import { manualClock } from "@hearth/runtime/testing";
import { describe, expect, it } from "@jest/globals";
import type { Change } from "../cluster/carrier/carrier.ts";
import { createChanges } from "./changes.ts";

const change = (version: number, oderId = "ada", about: Change["about"] = "presence"): Change => ({
  about,
  oderId,
  version,
});

describe("changes in a room", () => {
  it("WS8 are delivered once, and not after a newer one", () => {
    const changes = createChanges(manualClock());
    const heard = [3, 3, 2, 4, 1].map((version) => changes.take("room", change(version), version !== 4));
    expect(heard).toEqual(["next", "late", "late", "next", "late"]);
  });

  it("WS8 are separate for each user and each room", () => {
    const changes = createChanges(manualClock());
    changes.take("room", change(9), true);
    expect(changes.take("room", change(1, "bob"), true)).toBe("next");
    expect(changes.take("other", change(1), true)).toBe("next");
  });

  it("VO2 are separate for presence and voice, and the last of each is known", () => {
    const changes = createChanges(manualClock());
    changes.take("room", change(9), true);
    expect(changes.take("room", change(1, "ada", "voice"), false)).toBe("next");
    expect(changes.take("room", change(2, "ada", "voice"), false)).toBe("next");
    expect(changes.take("room", change(1, "ada", "voice"), false)).toBe("late");
    expect(changes.versionOf("room", { about: "voice", oderId: "ada" })).toBe(2);
    expect(changes.versionOf("room", { about: "voice", oderId: "bob" })).toBeUndefined();
  });

  it("WS8 have overtaken a departure if a user arrives twice in a row", () => {
    const changes = createChanges(manualClock());
    const heard = [1, 3, 2, 4, 5].map((version) => changes.take("room", change(version), version % 2 === 1));
    expect(heard).toEqual(["next", "overtaking", "late", "next", "next"]);
  });

  it("WS8 are forgotten after a while", () => {
    const clock = manualClock();
    const changes = createChanges(clock);
    changes.take("room", change(9), true);
    clock.advance(59_000);
    changes.sweep();
    expect(changes.take("room", change(9), true)).toBe("late");
    clock.advance(1_000);
    changes.sweep();
    expect(changes.take("room", change(9), true)).toBe("next");
  });

  it("WS8 are remembered for a while after the last one", () => {
    const clock = manualClock();
    const changes = createChanges(clock);
    changes.take("room", change(1), true);
    changes.take("room", change(9, "bob"), true);
    clock.advance(30_000);
    changes.take("room", change(2), false);
    clock.advance(30_000);
    changes.sweep();
    expect(changes.take("room", change(9, "bob"), true)).toBe("next");
    expect(changes.take("room", change(2), false)).toBe("late");
  });
});
