import { guardedByMongo } from "@hearth/runtime/network";
import type { Log } from "@hearth/runtime";
import type { Mongo } from "@hearth/runtime/network";
import { mongoAccounts } from "./accounts.mongo.ts";
import { collectionsOf, createIndexes } from "./collections.mongo.ts";
import { mongoDeviceTokens, mongoSigningKeys } from "./device-tokens.mongo.ts";
import { mongoOperator } from "./operator.mongo.ts";
import { mongoPeople } from "./people.mongo.ts";
import { mongoSessions } from "./sessions.mongo.ts";
import type { AuthStore } from "../../domain/store.ts";

/** The networked twin. It is not ready before its indexes exist, because without them a name could be taken twice. */
export function createMongoAuthStore(mongo: Mongo, log: Log): AuthStore {
  const collections = collectionsOf(mongo);
  const { writer, ...sessions } = mongoSessions(collections);
  const parts = {
    ...mongoAccounts(collections, writer),
    ...sessions,
    ...mongoDeviceTokens(collections, writer),
    ...mongoSigningKeys(collections),
    ...mongoPeople(collections, writer),
    ...mongoOperator(collections, writer),
  };
  const { guard, ready } = guardedByMongo(mongo, () => createIndexes(collections, log));
  return { ...guard(parts), ready, close: () => mongo.close() };
}
