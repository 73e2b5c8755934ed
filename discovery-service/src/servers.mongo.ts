import type { Collections, ServerDocument } from "./collections.mongo.ts";
import { pair } from "./collections.mongo.ts";
import type { Locks } from "./locks.mongo.ts";
import { behind, serverOf } from "./steps.mongo.ts";
import type { Steps } from "./steps.mongo.ts";
import type { ServerRecord, ServerStore } from "./store.ts";
import type { Heat } from "./trending.ts";

const fieldsOf = ({
  name,
  description,
  iconHash,
  tags,
  visibility,
  channels,
  updatedAt,
  version,
}: ServerRecord) => ({
  name,
  description,
  iconHash,
  tags: [...tags],
  visibility,
  channels: [...channels],
  updatedAt,
  version,
});

type Writes = Pick<ServerStore, "create" | "update" | "remove" | "transfer" | "heat">;
type Reads = Omit<ServerStore, keyof Writes>;

function writes(collections: Collections, locks: Locks, steps: Steps, { find }: Reads): Writes {
  const { servers, members, bans, invites, requests, plugins } = collections;
  return {
    async create(server, owner, heat) {
      const { id, ownerId, createdAt } = server;
      // The owner first: a membership of a server that never came to be is seen by nobody.
      await steps.addMember(owner);
      await servers.create([{ _id: id, ...fieldsOf(server), ownerId, createdAt, memberCount: 1, heat }]);
    },
    update: (authority, next) =>
      locks.hold(next.id, async () => {
        if (!(await steps.holds(authority))) return false;
        const filter = { _id: next.id, version: next.version - 1 };
        return (await servers.updateOne(filter, { $set: fieldsOf(next) })).matchedCount === 1;
      }),
    remove: (authority, ending) =>
      locks.hold(authority.serverId, async () => {
        const { serverId } = authority;
        if (!(await steps.holds(authority))) return false;
        // Told first and gone last: whoever dies in between leaves a server that can be removed again.
        await steps.keepEnding(ending);
        await Promise.all([
          bans.deleteMany({ serverId }),
          invites.deleteMany({ serverId }),
          requests.deleteMany({ serverId }),
          plugins.deleteMany({ serverId }),
        ]);
        await servers.deleteOne({ _id: serverId });
        await members.deleteMany({ serverId });
        return true;
      }),
    transfer: (authority, to, at) =>
      locks.hold(to.serverId, async () => {
        if (!(await steps.holds(authority)) || !(await steps.holds(to))) return null;
        const { serverId } = to;
        const change = { $set: { ownerId: to.userId, updatedAt: at }, $inc: { version: 1 } };
        // Who the server names is who owns it: roles that did not follow are mended by `repair`.
        await servers.updateOne({ _id: serverId }, change);
        await members.updateOne({ _id: pair(serverId, to.userId) }, { $set: { role: "owner" } });
        await members.updateOne({ _id: pair(serverId, authority.userId) }, { $set: { role: "moderator" } });
        return find(serverId);
      }),
    async heat(items, at) {
      for (const { serverId, points } of items) await steps.warm(serverId, points, at);
    },
  };
}

function reads({ servers }: Collections): Reads {
  return {
    async find(id) {
      const server = await servers.findById(id).lean<ServerDocument>();
      return server && serverOf(server);
    },
    findMany: async (ids) =>
      (await servers.find({ _id: { $in: [...ids] } }).lean<ServerDocument[]>()).map(serverOf),
    async listPublic({ after, limit }, tag) {
      const filter = {
        visibility: "public" as const,
        ...(tag !== undefined && { tags: tag }),
        ...behind(["createdAt", "_id"], "$lt", after),
      };
      const found = servers.find(filter).sort({ createdAt: -1, _id: -1 }).limit(limit);
      return (await found.lean<ServerDocument[]>()).map(serverOf);
    },
    async listTrending({ after, limit }) {
      const filter = { visibility: "public" as const, ...behind(["heat", "_id"], "$lt", after) };
      const found = await servers
        .find(filter)
        .sort({ heat: -1, _id: -1 })
        .limit(limit)
        .lean<ServerDocument[]>();
      return found.map((server): { server: ServerRecord; heat: Heat } => ({
        server: serverOf(server),
        heat: server.heat,
      }));
    },
  };
}

export function mongoServers(collections: Collections, locks: Locks, steps: Steps): ServerStore {
  const reading = reads(collections);
  return { ...reading, ...writes(collections, locks, steps, reading) };
}
