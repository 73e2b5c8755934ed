import { describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import { silentLog } from "@hearth/runtime";
import { manualClock } from "@hearth/runtime/testing";
import { createOnlineCounts } from "./online.ts";

const presence = () => {
  const clock = manualClock();
  const asked: string[][] = [];
  const state = { counts: {} as Record<string, number>, down: false };
  const online = createOnlineCounts({
    clock,
    log: silentLog,
    ask: async (ids) => {
      asked.push([...ids]);
      if (state.down) throw new ProblemError("TIMEOUT");
      return state.counts;
    },
  });
  const of = async (...ids: string[]) => Object.fromEntries(await online.of(ids));
  return { clock, asked, state, of };
};

describe("online counts", () => {
  it("DI1 ask once for a whole page, and count a missing server as 0", async () => {
    const { state, asked, of } = presence();
    state.counts = { a: 3 };
    expect(await of("a", "b")).toEqual({ a: 3, b: 0 });
    expect(asked).toEqual([["a", "b"]]);
  });

  it("DI1 are cached for a short time, and requested only if unknown", async () => {
    const { clock, state, asked, of } = presence();
    state.counts = { a: 3 };
    await of("a");
    state.counts = { a: 4, b: 1 };
    expect(await of("a", "b")).toEqual({ a: 3, b: 1 });
    clock.advance(5_000);
    expect(await of("a")).toEqual({ a: 4 });
    expect(asked).toEqual([["a"], ["b"], ["a"]]);
  });

  it("ER6 are the last known, else 0, while presence is away, and pause before the next request", async () => {
    const { clock, state, asked, of } = presence();
    state.counts = { a: 3 };
    await of("a");
    clock.advance(10_000);
    state.down = true;
    expect(await of("a", "b")).toEqual({ a: 3, b: 0 });
    expect(await of("a", "c")).toEqual({ a: 3, c: 0 });
    expect(asked).toHaveLength(2);
    state.down = false;
    state.counts = { a: 9 };
    clock.advance(2_000);
    expect(await of("a")).toEqual({ a: 9 });
  });

  it("DI1 are refreshed after the clock was set back", async () => {
    const { clock, state, of } = presence();
    state.counts = { a: 3 };
    await of("a");
    state.counts = { a: 4 };
    clock.advance(-3_600_000);
    expect(await of("a")).toEqual({ a: 4 });
  });

  it("DI1 ignore properties that every object has", async () => {
    const { of } = presence();
    expect(await of("constructor")).toEqual({ constructor: 0 });
  });
});
