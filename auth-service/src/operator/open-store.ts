import path from "node:path";
import type { Log } from "@hearth/runtime";
import type { OperatorConfig } from "../config.ts";
import type { AuthStore } from "../domain/store.ts";
import { AUTH_DATABASE, createSqliteAuthStore } from "../store/sqlite/store.sqlite.ts";

/** The store of the deployment, beside a service that may run. The embedded mode never loads MongoDB's driver. */
export async function openStore({ dataDir, distributed }: OperatorConfig, log: Log): Promise<AuthStore> {
  if (distributed === null) return createSqliteAuthStore({ file: path.join(dataDir, AUTH_DATABASE), log });
  const { openMongoStore } = await import("@hearth/runtime/network");
  const { createMongoAuthStore } = await import("../store/mongo/store.mongo.ts");
  const create = (mongo: Parameters<typeof createMongoAuthStore>[0]) => createMongoAuthStore(mongo, log);
  return openMongoStore({ service: "admin", environment: distributed, log, create });
}
