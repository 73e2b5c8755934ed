import { ProblemError } from "@hearth/contracts";
import { readConfig, until } from "@hearth/runtime";
import type { Environment, Log } from "@hearth/runtime";
import { networkVariables, openMongo, withSecretFiles } from "@hearth/runtime/network";
import { z } from "zod";
import { createMongoDiscoveryStore } from "../store/mongo/store.mongo.ts";
import type { Store } from "../domain/store.ts";

const PATIENCE_MS = 10_000;
const LOOK_AGAIN_MS = 50;

/** The store of the distributed mode, ready to be asked; rejects with `UNAVAILABLE` while MongoDB is away. */
export async function openDiscoveryMongo(environment: Environment, log: Log): Promise<Store> {
  const service = "discovery";
  const env = withSecretFiles(environment, ["MONGODB_PASSWORD"], { service });
  const {
    MONGODB_URL: url,
    MONGODB_USER: user,
    MONGODB_PASSWORD: password,
  } = readConfig(z.object(networkVariables.mongo), env, { service });
  const store = createMongoDiscoveryStore(openMongo({ url, user, password, log }));
  if (await until(() => store.ready(), { everyMs: LOOK_AGAIN_MS, limitMs: PATIENCE_MS })) return store;
  await store.close();
  throw new ProblemError("UNAVAILABLE", "MongoDB cannot be reached");
}
