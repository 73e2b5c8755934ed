import { describeCluster } from "../src/faults/cluster-for-tests.ts";
import { EVERYTHING, faultyTests } from "../src/faults/faulty-tests.ts";
import { freeze, kill, stop } from "../src/faults/strikes.ts";

const MINUTE = 60_000;
const FREEZE_MS = 30_000;

describeCluster("faults that last", (cluster) => {
  const faulty = faultyTests(cluster, 5 * MINUTE);

  faulty("F1 a presence node is away for a minute", EVERYTHING, () =>
    kill(cluster().presence.slice(1), MINUTE),
  );
  faulty("F2 all auth is away for a minute: who is in goes on chatting", ["tuples"], () =>
    kill(cluster().auth, MINUTE),
  );
  faulty("F3 the gateway is away for a minute: nobody is in, and everybody comes back", EVERYTHING, () =>
    kill(cluster().gateways, MINUTE),
  );
  faulty("F4 all discovery is away for a minute: chat is not affected", [], () =>
    kill(cluster().discovery, MINUTE),
  );
  faulty("F5 all sync is away for a minute", ["sync"], () => kill(cluster().sync, MINUTE));
  faulty("F6 NATS is away for a minute", ["sync", "tuples"], () => stop(cluster().nats, MINUTE));
  faulty("F6 NATS is frozen for thirty seconds", ["sync", "tuples"], () => freeze(cluster().nats, FREEZE_MS));
  faulty("F7 Redis is away for a minute", EVERYTHING, () => stop(cluster().redis, MINUTE));
  faulty("F7 Redis is frozen for thirty seconds", EVERYTHING, () => freeze(cluster().redis, FREEZE_MS));
  faulty("F8 MongoDB is away for a minute", ["tuples"], () => stop(cluster().mongo, MINUTE));
  faulty("F15 a presence node is frozen for twenty seconds", EVERYTHING, () =>
    freeze(cluster().presence[0] ?? cluster().nats, 20_000),
  );
});
