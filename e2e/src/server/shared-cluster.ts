import { randomInt } from "node:crypto";
import { startAllMetrics } from "./all-metrics.ts";
import { startBalancer } from "./balancer.ts";
import type { Cluster } from "./cluster.ts";
import type { RunningServer, ServerOptions } from "./process.ts";

/** The cluster that all suites of a run share, as described in the workers' environment. */
interface SharedCluster {
  readonly gateways: readonly string[];
  readonly metrics: readonly string[];
  readonly dataDir: string;
}

const VARIABLE = "HEARTH_SHARED_CLUSTER";

/** Announces the cluster to the workers of this run. */
export function share({ gateways, members, dataDir }: Cluster): void {
  const shared: SharedCluster = {
    gateways: gateways.map(({ url }) => url),
    metrics: members.map(({ metricsUrl }) => metricsUrl),
    dataDir,
  };
  process.env[VARIABLE] = JSON.stringify(shared);
}

/** The shared cluster, for a suite that does not disturb others. */
export function sharedFor({
  env = {},
  entry,
  dataDir,
  isShared = true,
}: ServerOptions): SharedCluster | undefined {
  const text = process.env[VARIABLE];
  if (text === undefined || entry !== undefined || !isShared) return undefined;
  const shared = JSON.parse(text) as SharedCluster;
  if (dataDir !== undefined && dataDir !== shared.dataDir) return undefined;
  return Object.keys(env).every((name) => name === "PORT" || name === "WEB_ROOT") ? shared : undefined;
}

/** Limits count per address, so every suite connects from its own one. All of 127.0.0.0/8 is local on Linux. */
function ownAddress(): string | undefined {
  if (process.platform !== "linux") return undefined;
  // Jest loads modules for each file, so a counter here would restart in each.
  return `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

/**
 * A door to the shared cluster. Stopping closes the door only: its clients lose their connections and cannot
 * reconnect until it is opened again at the same port. The processes keep running.
 */
export async function openDoor(shared: SharedCluster, port = 0): Promise<RunningServer> {
  const [balancer, metrics] = await Promise.all([
    startBalancer(shared.gateways, port, ownAddress()),
    startAllMetrics(shared.metrics.map((metricsUrl) => ({ metricsUrl, running: true }))),
  ]);
  return {
    url: balancer.url,
    metricsUrl: metrics.metricsUrl,
    dataDir: shared.dataDir,
    get process(): never {
      throw new Error("A cluster is no single process");
    },
    output(): never {
      throw new Error(
        "What a shared cluster writes is not of one suite alone; ask for one that is not shared",
      );
    },
    async stop(signal = "SIGKILL") {
      await Promise.all([balancer.close(), metrics.close()]);
      return signal;
    },
    cleanUp: async () => undefined,
  };
}
