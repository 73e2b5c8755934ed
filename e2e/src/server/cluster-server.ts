import { appendFile } from "node:fs/promises";
import { startAllMetrics } from "./all-metrics.ts";
import { startBalancer } from "./balancer.ts";
import { startCluster } from "./cluster.ts";
import type { RunningServer, ServerOptions } from "./process.ts";
import { openDoor, sharedFor } from "./shared-cluster.ts";

const TWO_OF_ALL = { auth: 2, presence: 2, discovery: 2, sync: 2 };

/** Options of the embedded server, and their equivalents for a cluster. */
const entriesFor = (entry: string | undefined) => {
  if (entry === undefined || entry === "all-in-one.ts") return {};
  if (entry === "e2e/entries/slow-auth.ts")
    return { entries: { presence: "e2e/entries/slow-auth.presence.ts" } };
  throw new Error(`There is no ${entry} for a cluster`);
};

/**
 * The product as two processes of every service: the run's shared cluster if it fits the suite, else the suite's own.
 */
export const startClusterServer = (options: ServerOptions): Promise<RunningServer> => {
  const shared = sharedFor(options);
  return shared === undefined ? startOwn(options) : openDoor(shared, Number(options.env?.["PORT"] ?? 0));
};

const startOwn = async (options: ServerOptions): Promise<RunningServer> => {
  const { PORT, ...env } = options.env ?? {};
  const { dataDir } = options;
  // Each gateway counts an address's sockets by itself, so a suite about that number has one gateway.
  const counted = (env["MAX_SOCKETS_PER_ADDRESS"] ?? "0") !== "0";
  const cluster = await startCluster({
    ...TWO_OF_ALL,
    gateways: counted ? 1 : 2,
    ...entriesFor(options.entry),
    env,
    ...(dataDir !== undefined && { dataDir }),
  });
  const urls = cluster.gateways.map(({ url }) => url);
  const [balancer, metrics] = await Promise.all([
    startBalancer(urls, Number(PORT ?? 0)),
    startAllMetrics(cluster.members),
  ]);
  return {
    url: balancer.url,
    metricsUrl: metrics.metricsUrl,
    dataDir: cluster.dataDir,
    get process(): never {
      throw new Error("A cluster is no single process");
    },
    output: () => cluster.output(),
    async stop(signal = "SIGKILL") {
      await Promise.all([balancer.close(), metrics.close()]);
      await cluster.stop(signal);
      // Helps to investigate a failure.
      const log = process.env["HEARTH_E2E_LOG"];
      if (log !== undefined) await appendFile(log, cluster.output());
      return signal;
    },
    cleanUp: () => cluster.cleanUp(),
  };
};
