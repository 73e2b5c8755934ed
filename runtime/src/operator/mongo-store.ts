import { ProblemError } from "@hearth/contracts";
import { z } from "zod";
import { readConfig } from "../config/read-config.ts";
import type { Environment } from "../config/read-config.ts";
import { withSecretFiles } from "../config/secret-files.ts";
import type { Log } from "../log/log.ts";
import { networkVariables } from "../process/process-config.ts";
import { openMongo } from "../storage/mongo.ts";
import type { Mongo } from "../storage/mongo.ts";
import { poll } from "../timing/retry.ts";

export interface MongoStoreOptions<Store> {
  /** Names the program in a {@link ConfigError}. */
  readonly service: string;
  readonly environment: Environment;
  readonly log: Log;
  readonly create: (mongo: Mongo) => Store;
}

const PATIENCE_MS = 10_000;
const CHECK_MS = 50;

/** For a command beside a service: opens a store and waits for it. Rejects with `UNAVAILABLE` after 10 s. */
export async function openMongoStore<Store extends { ready(): boolean; close(): Promise<void> }>({
  service,
  environment,
  log,
  create,
}: MongoStoreOptions<Store>): Promise<Store> {
  const env = withSecretFiles(environment, ["MONGODB_PASSWORD"], { service });
  const address = readConfig(z.object(networkVariables.mongo), env, { service });
  const { MONGODB_URL: url, MONGODB_USER: user, MONGODB_PASSWORD: password } = address;
  const store = create(openMongo({ url, user, password, log }));
  if (await poll(() => store.ready(), { everyMs: CHECK_MS, limitMs: PATIENCE_MS })) return store;
  await store.close();
  throw new ProblemError("UNAVAILABLE", "MongoDB cannot be reached");
}
