import path from "node:path";
import type { Log } from "@hearth/runtime";
import type { OperatorConfig } from "../config.ts";
import type { Store } from "../domain/store.ts";
import { DISCOVERY_DATABASE, createSqliteDiscoveryStore } from "../store/sqlite/store.sqlite.ts";

/** The store of the deployment, beside a service that may run. The embedded mode never loads MongoDB's driver. */
export async function openStore({ dataDir, distributed }: OperatorConfig, log: Log): Promise<Store> {
  if (distributed === null)
    return createSqliteDiscoveryStore({ file: path.join(dataDir, DISCOVERY_DATABASE), log });
  const { openMongoStore } = await import("@hearth/runtime/network");
  const { createMongoDiscoveryStore: create } = await import("../store/mongo/store.mongo.ts");
  return openMongoStore({
    service: "discovery",
    environment: distributed,
    log,
    create: (mongo) => create(mongo),
  });
}
