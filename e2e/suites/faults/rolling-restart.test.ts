import { expect, it } from "@jest/globals";
import { describeCluster } from "../../src/faults/cluster-for-tests.ts";
import { underFault } from "../../src/faults/faulty-run.ts";
import { entriesOf } from "../../src/faults/ledger.ts";
import { failedRequests } from "../../src/faults/checks/service-checks.ts";
import { roll } from "../../src/faults/strikes.ts";

const LIMIT_MS = 120_000;

type Strike = Parameters<typeof underFault>[1]["strike"];

/** WS14, WS15: whoever closes sockets tells each of them when to reconnect, at different times. */
async function callsBack(
  { participants }: Parameters<Strike>[0],
  entries: Parameters<Strike>[1]["entries"],
  strike: () => Promise<void>,
): Promise<void> {
  const from = entries.length;
  const before = participants.map(({ retries }) => retries.length);
  await strike();
  // Apart from its own network loss, a socket closes only with the code that announces the reconnect delay.
  const codes = entriesOf(entries.slice(from), "closed").map(({ code }) => code);
  expect(codes.filter((code) => ![4001, 4501, 1006, 1005].includes(code))).toEqual([]);
  expect(codes.filter((code) => code === 4001).length).toBeGreaterThanOrEqual(participants.length / 2);
  const told = participants.flatMap(({ retries }, index) => retries.slice(before[index]));
  expect(Math.min(...told)).toBeGreaterThanOrEqual(1_000);
  expect(new Set(told).size).toBeGreaterThan(told.length / 3);
}

describeCluster("a rolling restart under load", (cluster) => {
  it.each(["auth", "discovery", "sync"] as const)(
    "F13 %s: no request fails, and nothing that was accepted is lost",
    async (service) => {
      const strike = () => roll(cluster()[service]);
      const ledger = await underFault(cluster(), { name: `F13 ${service}`, disturbs: [], strike });
      expect(failedRequests(ledger.entries)).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    "F13 presence: every client is told when to reconnect, at different times, and no accepted message is lost",
    async () => {
      const ledger = await underFault(cluster(), {
        name: "F13 presence",
        disturbs: [],
        strike: (load, { entries }) => callsBack(load, entries, () => roll(cluster().presence)),
      });
      expect(failedRequests(ledger.entries)).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    "F13 gateway: no request to a ready gateway fails, and its clients are told when to reconnect",
    async () => {
      const { gateways } = cluster();
      const ready = new Set(gateways);
      const watch = setInterval(() => {
        for (const gateway of gateways)
          void gateway.isReady().then((isReady) => (isReady ? ready.add(gateway) : ready.delete(gateway)));
      }, 250);
      let turn = 0;
      const restUrl = () => [...ready][turn++ % ready.size]?.url ?? cluster().url;
      try {
        const ledger = await underFault(cluster(), {
          name: "F13 gateway",
          disturbs: [],
          restUrl,
          strike: (load, { entries }) => callsBack(load, entries, () => roll(gateways)),
        });
        expect(failedRequests(ledger.entries)).toEqual([]);
      } finally {
        clearInterval(watch);
      }
    },
    LIMIT_MS,
  );
});
