import { systemClock } from "@hearth/runtime";
import type { Clock } from "@hearth/runtime";
import { guardedByMongo } from "@hearth/runtime/network";
import type { Mongo } from "@hearth/runtime/network";
import { mongoAccounts, mongoFeatured } from "./accounts.mongo.ts";
import { collectionsOf, createIndexes } from "./collections.mongo.ts";
import { mongoInvites } from "./invites.mongo.ts";
import { createLocks } from "./locks.mongo.ts";
import type { LockTimes } from "./locks.mongo.ts";
import { mongoMembers } from "./members.mongo.ts";
import { mongoBans, mongoEndings, mongoPlugins, mongoRequests } from "./moderation.mongo.ts";
import { repair } from "./repair.mongo.ts";
import { mongoServers } from "./servers.mongo.ts";
import { createSteps } from "./steps.mongo.ts";
import type { Store } from "../../domain/store.ts";

/** The networked twin. */
export function createMongoDiscoveryStore(
  mongo: Mongo,
  clock: Clock = systemClock,
  times: LockTimes = {},
): Store {
  const collections = collectionsOf(mongo);
  const locks = createLocks(collections, (serverId) => repair(collections, serverId, clock.now()), times);
  const steps = createSteps(collections);
  const { guard, ready } = guardedByMongo(mongo, () => createIndexes(collections));
  return {
    servers: guard(mongoServers(collections, locks, steps)),
    members: guard(mongoMembers(collections, locks, steps)),
    bans: guard(mongoBans(collections, locks, steps)),
    invites: guard(mongoInvites(collections, locks, steps)),
    requests: guard(mongoRequests(collections, locks, steps)),
    plugins: guard(mongoPlugins(collections, locks, steps)),
    endings: guard(mongoEndings(collections)),
    featured: guard(mongoFeatured(collections)),
    accounts: guard(mongoAccounts(collections)),
    ready,
    close: () => {
      locks.close();
      return mongo.close();
    },
  };
}
