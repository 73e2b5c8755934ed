import { CLOSE } from "@hearth/contracts";
import { expect, it } from "@jest/globals";
import { setTimeout as pause } from "node:timers/promises";
import { describeCluster } from "../../src/faults/cluster-for-tests.ts";
import { flushRedis } from "../../src/faults/flush-redis.ts";
import { EVERYTHING, faultyTests } from "../../src/faults/faulty-tests.ts";
import { underFault } from "../../src/faults/faulty-run.ts";
import { entriesOf } from "../../src/faults/ledger.ts";
import { failedRequests } from "../../src/faults/checks/service-checks.ts";
import { untilEverythingWorks } from "../../src/faults/probe.ts";
import { freeze, kill, stop } from "../../src/faults/strikes.ts";
import { register } from "../../src/client/rest.ts";

const AWAY_MS = 3_000;
const FROZEN_MS = 12_000;

describeCluster("dependencies that fail", (cluster) => {
  const faulty = faultyTests(cluster);

  faulty(
    "F6 kill -9 of NATS: chat continues, and no dropped message is acknowledged",
    ["sync", "tuples"],
    () => kill([cluster().nats], AWAY_MS),
  );
  faulty("F6 NATS is stopped and comes back: all services reconnect", ["sync", "tuples"], () =>
    stop(cluster().nats, AWAY_MS),
  );
  faulty("F6 NATS is frozen for some seconds: requests that need it fail in time", ["sync", "tuples"], () =>
    freeze(cluster().nats, 4_000),
  );
  faulty("F7 kill -9 of Redis: no process ends, and everybody is back in their servers", EVERYTHING, () =>
    kill([cluster().redis], AWAY_MS),
  );
  faulty("F7 FLUSHALL of Redis: the services rebuild its contents", EVERYTHING, () => flushRedis(cluster()));
  it("F7 Redis is frozen for longer than a node's lease: no connection closes and no request fails", async () => {
    const strike = () => freeze(cluster().redis, FROZEN_MS);
    const { entries } = await underFault(cluster(), { name: "F7 frozen", disturbs: EVERYTHING, strike });
    const closed = entriesOf(entries, "closed").filter(({ code }) => code >= 4_000);
    // The effects of constant logouts.
    expect(closed.filter(({ code }) => code !== CLOSE.SESSION_REVOKED.code)).toEqual([]);
    expect(failedRequests(entries)).toEqual([]);
  }, 120_000);
  faulty("F8 kill -9 of MongoDB: accepted writes survive, chat continues", [], () =>
    kill([cluster().mongo], AWAY_MS),
  );
  faulty("F8 MongoDB is stopped and comes back: accepted writes survive, chat continues", [], () =>
    stop(cluster().mongo, AWAY_MS),
  );

  it("F9 services that start before their dependencies wait, and work soon after those are up", async () => {
    const { members, nats, redis, mongo, url } = cluster();
    const dependencies = [nats, redis, mongo];
    const account = await register(url);
    await Promise.all([...members, ...dependencies].map((each) => each.end()));
    await Promise.all(members.map((member) => member.start()));
    await pause(2_000);
    expect(members.filter(({ running }) => !running).map(({ name }) => name)).toEqual([]);
    for (const member of members) expect(await member.isReady()).toBe(false);
    await Promise.all(dependencies.map((dependency) => dependency.start()));
    await untilEverythingWorks(url, account, 10_000);
    expect(members.filter(({ running }) => !running).map(({ name }) => name)).toEqual([]);
  }, 60_000);
});
