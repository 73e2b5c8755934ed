import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { manualClock } from "@hearth/runtime/testing";
import { ALONE_MS, createClusterMembership } from "./cluster-membership.ts";

const renewal = (known: boolean, alone: boolean) => ({ known, alone, superseded: [] });

describe("cluster membership", () => {
  const clock = manualClock();
  const create = () => createClusterMembership(clock);

  it("counts on being alone for a while after asking, by both clocks", () => {
    const membership = create();
    expect(membership.isAlone).toBe(false);
    const asked = membership.moment();
    membership.renewed(asked, renewal(true, true));
    expect(membership.isAlone).toBe(true);
    clock.advance(ALONE_MS - 1);
    expect(membership.isAlone).toBe(true);
    clock.advance(1);
    expect(membership.isAlone).toBe(false);
    const { now, elapsed } = membership.moment();
    membership.renewed({ now, elapsed: elapsed - ALONE_MS }, renewal(true, true));
    expect(membership.isAlone).toBe(false);
  });

  it("I16 is steady again a while after an interruption, and after its clock was set back", () => {
    const membership = create();
    const heard: boolean[] = [];
    const renewEverySecond = (times: number): void => {
      for (let n = 0; n < times; n++) {
        clock.advance(1_000);
        membership.renewed(membership.moment(), renewal(true, false));
        heard.push(membership.isSteady);
      }
    };
    renewEverySecond(4);
    clock.advance(3_001);
    heard.push(membership.isSteady);
    renewEverySecond(4);
    clock.advance(-60_000);
    heard.push(membership.isSteady);
    renewEverySecond(4);
    const [no, once] = [[false, false, false], [true]];
    expect(heard).toEqual([...no, ...once, false, ...no, ...once, false, ...no, ...once]);
  });

  it("is not alone as soon as it learns of another node", () => {
    const membership = create();
    membership.renewed(membership.moment(), renewal(true, true));
    membership.renewed(membership.moment(), renewal(true, false));
    expect(membership.isAlone).toBe(false);
  });

  it("admits nobody before the cluster knows the node, with a retryable error", async () => {
    const membership = create();
    membership.begin();
    await expect(membership.untilJoined()).rejects.toMatchObject({ code: "UNAVAILABLE", retryable: true });
    membership.renewed(membership.moment(), renewal(false, true));
    await expect(membership.untilJoined()).resolves.toBeUndefined();
  });

  it.each([
    ["new", renewal(false, false)],
    ["known to a cluster that it could not ask at first", renewal(true, false)],
  ])("waits until no node counts on being alone, if it is %s", async (_, answer) => {
    const membership = create();
    membership.begin();
    const before = performance.now();
    membership.renewed(membership.moment(), answer);
    await setTimeout(100);
    membership.renewed(membership.moment(), renewal(true, false));
    await membership.untilJoined();
    expect(performance.now() - before).toBeGreaterThanOrEqual(ALONE_MS);
    await expect(membership.untilJoined()).resolves.toBeUndefined();
  });
});
