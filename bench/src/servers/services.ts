import { fileURLToPath } from "node:url";
import { freePort, isListening } from "@hearth/runtime/testing/servers";
import { natsEnvironment } from "../cluster/environment.ts";
import type { Broker } from "./broker.ts";
import { BCRYPT_COST, temporaryData } from "./product.ts";
import { ServerProcess } from "./server-process.ts";

const entry = fileURLToPath(new URL("../../entries/services.ts", import.meta.url));

/** Auth, discovery and sync behind a gateway, in one process on SQLite, reached by presence nodes over NATS. */
export async function startServices(core: readonly string[], nats: Broker): Promise<ServerProcess> {
  const port = await freePort();
  const metricsPort = await freePort();
  return ServerProcess.start({
    name: "the other services",
    file: entry,
    port,
    core,
    environment: {
      ...natsEnvironment(nats),
      DATA_DIR: temporaryData(),
      METRICS_PORT: String(metricsPort),
      BCRYPT_COST: String(BCRYPT_COST),
      MAX_WAITING_LOGINS_PER_ADDRESS: "256",
    },
    ready: () => isListening(port),
  });
}
