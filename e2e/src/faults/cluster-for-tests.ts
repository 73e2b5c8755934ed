import { afterAll, beforeAll, describe } from "@jest/globals";
import { missingServers } from "../../entries/servers.ts";
import { type Cluster, type ClusterOptions, startCluster } from "../server/cluster.ts";

const TWO_OF_ALL = { gateways: 2, auth: 2, presence: 2, discovery: 2, sync: 2 };
const START_MS = 150_000;

/** Twelve processes start slowly on a busy machine. */
const startPatiently = async (options: ClusterOptions): Promise<Cluster> => {
  try {
    return await startCluster(options);
  } catch {
    return startCluster(options);
  }
};

/** A suite over two processes of every service; without the servers it is reported as not run. */
export const describeCluster = (
  name: string,
  suite: (cluster: () => Cluster) => void,
  options: ClusterOptions = {},
): void => {
  const where = missingServers.length > 0 ? describe.skip : describe;
  where(`${name} (needs nats-server, redis-server and a MongoDB server)`, () => {
    let running: Cluster | undefined;
    beforeAll(async () => {
      running = await startPatiently({
        ...TWO_OF_ALL,
        ...options,
        env: { TRUST_PROXY: "1", ...options.env },
      });
    }, START_MS);
    afterAll(async () => {
      await running?.stop();
      await running?.cleanUp();
    }, START_MS);
    suite(() => {
      if (!running) throw new Error("The cluster runs only while the tests do");
      return running;
    });
  });
};
