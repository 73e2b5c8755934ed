import type { Cluster } from "../../src/server/cluster.ts";
import { describeCluster } from "../../src/faults/cluster-for-tests.ts";
import { EVERYTHING, faultyTests } from "../../src/faults/faulty-tests.ts";
import type { Traffic } from "../../src/faults/ledger.ts";
import { freeze, kill, stop } from "../../src/faults/strikes.ts";

const MINUTE = 60_000;
const HALF_A_MINUTE = 30_000;

/**
 * Each on its own cluster: the data of minutes of load makes FerretDB slow, which scans a whole collection for
 * anything but an id.
 */
const lasting = (
  title: string,
  disturbs: readonly Traffic[],
  strike: (cluster: Cluster) => Promise<void>,
): void =>
  describeCluster("a fault that lasts", (cluster) =>
    faultyTests(cluster, 5 * MINUTE)(title, disturbs, () => strike(cluster())),
  );

lasting("F1 a presence node is away for a minute", EVERYTHING, ({ presence }) =>
  kill(presence.slice(1), MINUTE),
);
lasting("F2 all auth is away for a minute: connected users keep chatting", ["tuples"], ({ auth }) =>
  kill(auth, MINUTE),
);
lasting("F3 all gateways are away for a minute: everybody reconnects", EVERYTHING, ({ gateways }) =>
  kill(gateways, MINUTE),
);
lasting("F4 all discovery is away for a minute: chat is not affected", [], ({ discovery }) =>
  kill(discovery, MINUTE),
);
lasting("F5 all sync is away for a minute", ["sync"], ({ sync }) => kill(sync, MINUTE));
lasting("F6 NATS is away for a minute", ["sync", "tuples"], ({ nats }) => stop(nats, MINUTE));
lasting("F6 NATS is frozen for thirty seconds", ["sync", "tuples"], ({ nats }) =>
  freeze(nats, HALF_A_MINUTE),
);
lasting("F7 Redis is away for a minute", EVERYTHING, ({ redis }) => stop(redis, MINUTE));
lasting("F7 Redis is frozen for thirty seconds", EVERYTHING, ({ redis }) => freeze(redis, HALF_A_MINUTE));
lasting("F8 MongoDB is away for a minute", ["tuples"], ({ mongo }) => stop(mongo, MINUTE));
lasting("F15 a presence node is frozen for twenty seconds", EVERYTHING, ({ presence: [node], nats }) =>
  freeze(node ?? nats, 20_000),
);
