import { pair } from "./collections.mongo.ts";
import type { Collections } from "./collections.mongo.ts";

/**
 * Brings what belongs to a server of chat into agreement, after a writer died between two of its steps. To be called
 * by who holds its lock; repeating it is harmless.
 */
export async function repair(collections: Collections, serverId: string, now: number): Promise<void> {
  const { servers, members, bans, invites, requests, plugins, featured } = collections;
  const server = await servers.findById(serverId, "ownerId").lean();
  if (!server) {
    // Its removal did not come to its end.
    await Promise.all([
      members.deleteMany({ serverId }),
      bans.deleteMany({ serverId }),
      invites.deleteMany({ serverId }),
      requests.deleteMany({ serverId }),
      plugins.deleteMany({ serverId }),
      featured.deleteOne({ _id: serverId }),
    ]);
    return;
  }
  const { ownerId } = server;
  await members.updateOne({ _id: pair(serverId, ownerId) }, { $set: { role: "owner" } });
  const formerOwners = { serverId, role: "owner" as const, userId: { $ne: ownerId } };
  await members.updateMany(formerOwners, { $set: { role: "moderator" } });
  const inForce = { serverId, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
  const banned = (await bans.find(inForce, "userId").lean()).map(({ userId }) => pair(serverId, userId));
  await members.deleteMany({ _id: { $in: banned } });
  const memberCount = await members.countDocuments({ serverId });
  await servers.updateOne({ _id: serverId }, { $set: { memberCount } });
}
