import { ProblemError } from "@hearth/contracts";
import { readConfig, until } from "@hearth/runtime";
import type { Environment, Log } from "@hearth/runtime";
import { networkVariables, openMongo, withSecretFiles } from "@hearth/runtime/network";
import { z } from "zod";
import { createMongoAuthStore } from "../store/mongo/store.mongo.ts";
import type { AuthStore } from "../domain/store.ts";

const PATIENCE_MS = 10_000;
const LOOK_AGAIN_MS = 50;
const SERVICE = { service: "admin" };

/** The store of the distributed mode, ready to be asked; rejects with `UNAVAILABLE` while MongoDB is away. */
export async function openMongoAuthStore(environment: Environment, log: Log): Promise<AuthStore> {
  const env = withSecretFiles(environment, ["MONGODB_PASSWORD"], SERVICE);
  const address = readConfig(z.object(networkVariables.mongo), env, SERVICE);
  const { MONGODB_URL: url, MONGODB_USER: user, MONGODB_PASSWORD: password } = address;
  const store = createMongoAuthStore(openMongo({ url, user, password, log }), log);
  if (await until(() => store.ready(), { everyMs: LOOK_AGAIN_MS, limitMs: PATIENCE_MS })) return store;
  await store.close();
  throw new ProblemError("UNAVAILABLE", "MongoDB cannot be reached");
}
