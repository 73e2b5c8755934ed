import { expect, it } from "@jest/globals";
import { setTimeout as pause } from "node:timers/promises";
import { describeCluster } from "../../src/faults/cluster-for-tests.ts";
import { underFault } from "../../src/faults/faulty-run.ts";
import { EVERYTHING, faultyTests } from "../../src/faults/faulty-tests.ts";
import { entriesOf } from "../../src/faults/ledger.ts";
import { freezeDuringSync, kill } from "../../src/faults/strikes.ts";
import { metricsOf } from "../../src/server/metrics.ts";

const AWAY_MS = 3_000;
/** Several times the timeout of a bus request. */
const FROZEN_MS = 9_000;
const LIMIT_MS = 120_000;

describeCluster("services that die under load", (cluster) => {
  const faulty = faultyTests(cluster);

  faulty("F0 without a fault every invariant holds", [], () => pause(500));
  faulty("F1 kill -9 of a presence node: its users reconnect once, and no ghost remains", EVERYTHING, () =>
    kill(cluster().presence.slice(1), AWAY_MS),
  );
  faulty("F2 kill -9 of one of two auth processes: only its pending requests fail", [], () =>
    kill(cluster().auth.slice(1), AWAY_MS),
  );
  faulty(
    "F2 kill -9 of all auth: connected users keep chatting, and no session is reported invalid",
    ["tuples"],
    () => kill(cluster().auth, AWAY_MS),
  );
  faulty("F3 kill -9 of the gateway: clients reconnect by themselves", EVERYTHING, async (_load, ledger) => {
    const from = ledger.entries.length;
    await kill(cluster().gateways.slice(0, 1), AWAY_MS);
    const codes = entriesOf(ledger.entries.slice(from), "closed").map(({ code }) => code);
    expect([...new Set(codes)]).toEqual([1006]);
  });
  faulty("F4 kill -9 of all discovery: chat is not affected", [], () => kill(cluster().discovery, AWAY_MS));
  faulty(
    "F5 kill -9 of all sync: account_sync may be lost, never duplicated and never delivered to another account",
    ["sync"],
    () => kill(cluster().sync, AWAY_MS),
  );
  it(
    "F5 one of two sync processes is frozen: nothing acknowledged is lost and nothing old arrives after newer",
    async () => {
      const timeouts = async (): Promise<number> => {
        const labels = { subject: "sync.relay", code: "TIMEOUT" };
        const counts = await Promise.all(cluster().presence.map((node) => metricsOf(node)));
        return counts.reduce((sum, count) => sum + count.sum("hearth_bus_failures_total", labels), 0);
      };
      const before = await timeouts();
      const [frozen = cluster().nats] = cluster().sync;
      await underFault(cluster(), {
        name: "F5 frozen",
        disturbs: [],
        strike: (load) => freezeDuringSync(frozen, FROZEN_MS, load),
      });
      expect(await timeouts()).toBeGreaterThan(before);
    },
    LIMIT_MS,
  );
  faulty("F14 kill -9 of all services at once: everybody reconnects", EVERYTHING, () =>
    kill(cluster().members, AWAY_MS),
  );
});
