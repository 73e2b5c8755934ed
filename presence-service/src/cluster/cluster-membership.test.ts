import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { manualClock } from "@hearth/runtime/testing";
import { ALONE_MS, ClusterMembership } from "./cluster-membership.ts";

const renewal = (known: boolean, alone: boolean) => ({ known, alone, superseded: [] });

describe("a node's standing", () => {
  const clock = manualClock();
  const stand = () => new ClusterMembership(clock);

  it("is alone for a while from the moment of asking, by either clock", () => {
    const standing = stand();
    expect(standing.isAlone).toBe(false);
    const asked = standing.moment();
    standing.renewed(asked, renewal(true, true));
    expect(standing.isAlone).toBe(true);
    clock.advance(ALONE_MS - 1);
    expect(standing.isAlone).toBe(true);
    clock.advance(1);
    expect(standing.isAlone).toBe(false);
    const { now, elapsed } = standing.moment();
    standing.renewed({ now, elapsed: elapsed - ALONE_MS }, renewal(true, true));
    expect(standing.isAlone).toBe(false);
  });

  it("I16 is steady a while after each break, of the roster's or its own, and after its clock was set back", () => {
    const standing = stand();
    const heard: boolean[] = [];
    const renewEverySecond = (times: number): void => {
      for (let n = 0; n < times; n++) {
        clock.advance(1_000);
        standing.renewed(standing.moment(), renewal(true, false));
        heard.push(standing.isSteady);
      }
    };
    renewEverySecond(4);
    clock.advance(3_001);
    heard.push(standing.isSteady);
    renewEverySecond(4);
    clock.advance(-60_000);
    heard.push(standing.isSteady);
    renewEverySecond(4);
    const [no, once] = [[false, false, false], [true]];
    expect(heard).toEqual([...no, ...once, false, ...no, ...once, false, ...no, ...once]);
  });

  it("is alone no more as soon as it hears of another", () => {
    const standing = stand();
    standing.renewed(standing.moment(), renewal(true, true));
    standing.renewed(standing.moment(), renewal(true, false));
    expect(standing.isAlone).toBe(false);
  });

  it("takes nobody in before the cluster knows it, and says that this is trouble that passes", async () => {
    const standing = stand();
    standing.begin();
    await expect(standing.admitted()).rejects.toMatchObject({ code: "UNAVAILABLE", retryable: true });
    standing.renewed(standing.moment(), renewal(false, true));
    await expect(standing.admitted()).resolves.toBeUndefined();
  });

  it.each([
    ["new", renewal(false, false)],
    ["found by a cluster that it could not ask at first", renewal(true, false)],
  ])("waits until nobody counts on being alone, when it is %s", async (_, answer) => {
    const standing = stand();
    standing.begin();
    const before = performance.now();
    standing.renewed(standing.moment(), answer);
    await setTimeout(100);
    standing.renewed(standing.moment(), renewal(true, false));
    await standing.admitted();
    expect(performance.now() - before).toBeGreaterThanOrEqual(ALONE_MS);
    await expect(standing.admitted()).resolves.toBeUndefined();
  });
});
