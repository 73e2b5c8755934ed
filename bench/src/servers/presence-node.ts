import { fileURLToPath } from "node:url";
import { freePort } from "@hearth/runtime/testing/servers";
import { INTERNAL_SECRET, SECRET_HEADER, natsEnvironment, redisEnvironment } from "../cluster/environment.ts";
import { HOST } from "../machine/addresses.ts";
import type { Broker } from "./broker.ts";
import { ONE_FOR_MANY } from "./product.ts";
import { ServerProcess } from "./server-process.ts";

const entry = fileURLToPath(new URL("../../../presence-service/src/main.ts", import.meta.url));

export interface PresenceNodeOptions {
  readonly core: readonly string[];
  readonly nats: Broker;
  readonly redis: Broker;
}

/** One presence node of a cluster; nodes with one Redis form a cluster. */
export async function startPresenceNode({ core, nats, redis }: PresenceNodeOptions): Promise<ServerProcess> {
  const port = await freePort();
  const metricsPort = await freePort();
  const headers = { [SECRET_HEADER]: INTERNAL_SECRET };
  return ServerProcess.start({
    name: "a presence node",
    file: entry,
    port,
    core,
    environment: {
      ...natsEnvironment(nats),
      ...redisEnvironment(redis),
      INTERNAL_SECRET,
      ...ONE_FOR_MANY,
      METRICS_HOST: HOST,
      METRICS_PORT: String(metricsPort),
    },
    ready: () =>
      fetch(`http://${HOST}:${port}/internal/ready`, { headers }).then(
        ({ status }) => status === 200,
        () => false,
      ),
  });
}
