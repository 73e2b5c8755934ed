import type { AccessRequest } from "@hearth/contracts";
import { pairId } from "./collections.mongo.ts";
import type {
  BanDocument,
  Collections,
  EndingDocument,
  PluginDocument,
  RequestDocument,
} from "./collections.mongo.ts";
import type { Locks } from "./locks.mongo.ts";
import { requireQuota } from "../../domain/quotas.ts";
import { afterPosition, requestOf, withoutId } from "./steps.mongo.ts";
import type { Steps } from "./steps.mongo.ts";
import type { BanRecord, Ending, PluginRecord } from "../../domain/records.ts";
import type { BanStore, EndingStore, PluginStore, RequestStore } from "../../domain/store.ts";

export function mongoBans({ bans }: Collections, locks: Locks, steps: Steps): BanStore {
  const find = async (serverId: string, userId: string): Promise<BanRecord | null> => {
    const ban = await bans.findById(pairId(serverId, userId)).lean<BanDocument>();
    return ban && withoutId(ban);
  };
  const requireBanQuota = async (serverId: string, now: number, limit: number): Promise<void> => {
    if ((await bans.countDocuments({ serverId })) < limit) return;
    await bans.deleteMany({ serverId, expiresAt: { $ne: null, $lte: now } });
    requireQuota("bans", await bans.countDocuments({ serverId }), limit);
  };
  return {
    find,
    put: (ban, before, member, authority, ending, quota) =>
      locks.hold(ban.serverId, async () => {
        const { serverId, userId } = ban;
        const isAsRead =
          (await steps.hasRole(authority)) &&
          (await find(serverId, userId))?.revision === before?.revision &&
          (await steps.roleOf(serverId, userId)) === (member?.role ?? null);
        if (!isAsRead) return false;
        if (before === null) await requireBanQuota(serverId, ban.createdAt, quota.bans);
        await bans.replaceOne({ _id: pairId(serverId, userId) }, { ...ban }, { upsert: true });
        await steps.storeEnding(ending);
        await steps.deleteInvites(serverId, userId);
        await steps.deleteMember(serverId, userId);
        return true;
      }),
    lift: ({ serverId, userId, revision }, authority) =>
      locks.hold(serverId, async () => {
        if (!(await steps.hasRole(authority))) return false;
        return (await bans.deleteOne({ _id: pairId(serverId, userId), revision })).deletedCount === 1;
      }),
    async list(serverId, { after, limit }, now) {
      const filter = {
        serverId,
        $and: [
          { $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] },
          afterPosition(["createdAt", "userId"], "$lt", after),
        ],
      };
      const found = bans.find(filter).sort({ createdAt: -1, userId: -1 }).limit(limit);
      return (await found.lean<BanDocument[]>()).map(withoutId);
    },
  };
}

export function mongoRequests({ requests }: Collections, locks: Locks, steps: Steps): RequestStore {
  const one = async (filter: Record<string, unknown>): Promise<AccessRequest | null> => {
    const request = await requests.findOne(filter).lean<RequestDocument>();
    return request && requestOf(request);
  };
  return {
    create: ({ id, ...rest }) =>
      locks.hold(rest.serverId, async () => {
        const { serverId, userId, createdAt } = rest;
        const found = await steps.serverAndMember(serverId, userId);
        if (found?.member !== null || found.server.visibility !== "private") return false;
        if (await steps.isBanned(serverId, userId, createdAt)) return false;
        if (await one({ serverId, userId, status: "pending" })) return false;
        await requests.create([{ _id: id, ...rest }]);
        return true;
      }),
    find: (id) => one({ _id: id }),
    findPending: (serverId, userId) => one({ serverId, userId, status: "pending" }),
    async listPending(serverId, { after, limit }) {
      const filter = {
        serverId,
        status: "pending" as const,
        ...afterPosition(["createdAt", "_id"], "$gt", after),
      };
      const found = requests.find(filter).sort({ createdAt: 1, _id: 1 }).limit(limit);
      return (await found.lean<RequestDocument[]>()).map(requestOf);
    },
    decide: ({ id, serverId, userId, username, displayName }, decision, authority, points) =>
      locks.hold(serverId, async () => {
        const { status, decidedAt } = decision;
        if (!(await steps.hasRole(authority))) return null;
        if (status === "approved" && (await steps.isBanned(serverId, userId, decidedAt))) return null;
        if (!(await one({ _id: id, status: "pending" }))) return null;
        const added = status === "approved" && (await steps.roleOf(serverId, userId)) === null;
        // The membership first: a process that dies in between leaves a request that can be decided again.
        const member = {
          ...{ serverId, userId, username, displayName },
          role: "member",
          joinedAt: decidedAt,
        } as const;
        if (added) await steps.insertMember(member, points);
        await requests.updateOne({ _id: id, status: "pending" }, { $set: { ...decision } });
        return { added };
      }),
  };
}

export function mongoPlugins({ plugins }: Collections, locks: Locks, steps: Steps): PluginStore {
  const find = async (serverId: string, pluginId: string): Promise<PluginRecord | null> => {
    const plugin = await plugins.findById(pairId(serverId, pluginId)).lean<PluginDocument>();
    return plugin && withoutId(plugin);
  };
  return {
    find,
    list: async (serverId) =>
      (await plugins.find({ serverId }).sort({ pluginId: 1 }).lean<PluginDocument[]>()).map(withoutId),
    put: (plugin, before, authority) =>
      locks.hold(plugin.serverId, async () => {
        const { serverId, pluginId } = plugin;
        if (!(await steps.hasRole(authority))) return false;
        if ((await find(serverId, pluginId))?.revision !== before?.revision) return false;
        await plugins.replaceOne({ _id: pairId(serverId, pluginId) }, { ...plugin }, { upsert: true });
        return true;
      }),
    remove: ({ serverId, pluginId, revision }, authority) =>
      locks.hold(serverId, async () => {
        if (!(await steps.hasRole(authority))) return false;
        return (await plugins.deleteOne({ _id: pairId(serverId, pluginId), revision })).deletedCount === 1;
      }),
  };
}

export const mongoEndings = ({ endings }: Collections): EndingStore => ({
  list: async () =>
    (await endings.find().sort({ _id: 1 }).lean<EndingDocument[]>()).map(
      ({ _id: id, ...rest }) => ({ id, ...rest }) as Ending,
    ),
  async forget(id) {
    await endings.deleteOne({ _id: id });
  },
});
