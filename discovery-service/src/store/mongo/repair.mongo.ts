import { pairId } from "./collections.mongo.ts";
import type { Collections } from "./collections.mongo.ts";

/** Deletes all records of a server except the server itself and its members. */
export async function deleteModeration(collections: Collections, serverId: string): Promise<void> {
  const { bans, invites, requests, plugins, featured } = collections;
  await Promise.all([
    bans.deleteMany({ serverId }),
    invites.deleteMany({ serverId }),
    requests.deleteMany({ serverId }),
    plugins.deleteMany({ serverId }),
    featured.deleteOne({ _id: serverId }),
  ]);
}

/**
 * Makes the records of a server consistent after a writer died between two of its steps. The caller holds the server's
 * lock. Safe to repeat.
 */
export async function repair(collections: Collections, serverId: string, now: number): Promise<void> {
  const { servers, members, bans } = collections;
  const server = await servers.findById(serverId, "ownerId").lean();
  if (!server) {
    // Its removal was not finished.
    await Promise.all([members.deleteMany({ serverId }), deleteModeration(collections, serverId)]);
    return;
  }
  const { ownerId } = server;
  await members.updateOne({ _id: pairId(serverId, ownerId) }, { $set: { role: "owner" } });
  const formerOwners = { serverId, role: "owner" as const, userId: { $ne: ownerId } };
  await members.updateMany(formerOwners, { $set: { role: "moderator" } });
  const inForce = { serverId, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
  const banned = (await bans.find(inForce, "userId").lean()).map(({ userId }) => pairId(serverId, userId));
  await members.deleteMany({ _id: { $in: banned } });
  const memberCount = await members.countDocuments({ serverId });
  await servers.updateOne({ _id: serverId }, { $set: { memberCount } });
}
