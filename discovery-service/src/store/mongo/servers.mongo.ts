import type { Collections, ServerDocument } from "./collections.mongo.ts";
import { pair } from "./collections.mongo.ts";
import type { Locks } from "./locks.mongo.ts";
import { LISTED, behind, listedOf, serverOf } from "./steps.mongo.ts";
import type { ListedDocument, Steps } from "./steps.mongo.ts";
import type { ListedServer, ServerRecord, ServerStore } from "../../domain/store.ts";
import type { Heat } from "../../domain/trending.ts";

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

/** Held by whatever adds to the servers that an account owns; taken within a server's lock, never around one. */
const ownersLock = (ownerId: string): string => `owner ${ownerId}`;

type Writes = Pick<ServerStore, "create" | "update" | "remove" | "transfer" | "heat">;
type Reads = Omit<ServerStore, keyof Writes>;

function writes(collections: Collections, locks: Locks, steps: Steps, { find }: Reads): Writes {
  const { servers, members, bans, invites, requests, plugins, featured } = collections;
  return {
    create: (server, owner, heat, quota) =>
      locks.hold(ownersLock(server.ownerId), async () => {
        const { id, ownerId, createdAt } = server;
        await steps.requireServerRoom(ownerId, quota);
        // The owner first: a membership of a server that never came to be is seen by nobody.
        await steps.addMember(owner);
        await servers.create([{ _id: id, ...fieldsOf(server), ownerId, createdAt, memberCount: 1, heat }]);
      }),
    update: (authority, next) =>
      locks.hold(next.id, async () => {
        if (!(await steps.holds(authority))) return false;
        const filter = { _id: next.id, version: next.version - 1 };
        if ((await servers.updateOne(filter, { $set: fieldsOf(next) })).matchedCount === 0) return false;
        if (next.visibility === "private") await steps.endInvites(next.id);
        return true;
      }),
    remove: (authority, ending) =>
      locks.hold(ending.serverId, async () => {
        const { serverId } = ending;
        if (authority !== null && !(await steps.holds(authority))) return false;
        if (!(await servers.exists({ _id: serverId }))) return false;
        // Told first and gone last: whoever dies in between leaves a server that can be removed again.
        await steps.keepEnding(ending);
        await Promise.all([
          bans.deleteMany({ serverId }),
          invites.deleteMany({ serverId }),
          requests.deleteMany({ serverId }),
          plugins.deleteMany({ serverId }),
          featured.deleteOne({ _id: serverId }),
        ]);
        await servers.deleteOne({ _id: serverId });
        await members.deleteMany({ serverId });
        return true;
      }),
    transfer: (authority, to, at, quota) =>
      locks.hold(to.serverId, async () => {
        if (!(await steps.holds(authority)) || !(await steps.holds(to))) return null;
        const { serverId } = to;
        const change = { $set: { ownerId: to.userId, updatedAt: at }, $inc: { version: 1 } };
        await locks.hold(ownersLock(to.userId), async () => {
          if (quota !== null) await steps.requireServerRoom(to.userId, quota);
          // Who the server names is who owns it: roles that did not follow are mended by `repair`.
          await servers.updateOne({ _id: serverId }, change);
        });
        await members.updateOne({ _id: pair(serverId, to.userId) }, { $set: { role: "owner" } });
        await members.updateOne({ _id: pair(serverId, authority.userId) }, { $set: { role: "moderator" } });
        return find(serverId);
      }),
    async heat(items, at) {
      for (const { serverId, points } of items) await steps.warm(serverId, points, at);
    },
  };
}

function reads({ servers }: Collections, steps: Steps): Reads {
  return {
    ownedBy: steps.ownedBy,
    async search(text, limit) {
      const name = { $regex: text.replace(/[^\p{L}\p{N}\s]/gu, "\\$&"), $options: "i" };
      return (await servers.find({ name }, LISTED).limit(limit).lean<ListedDocument[]>()).map(listedOf);
    },
    async find(id) {
      const server = await servers.findById(id).lean<ServerDocument>();
      return server && serverOf(server);
    },
    findMany: async (ids) =>
      (await servers.find({ _id: { $in: [...ids] } }, LISTED).lean<ListedDocument[]>()).map(listedOf),
    async listPublic({ after, limit }, tag) {
      const filter = {
        visibility: "public" as const,
        ...(tag !== undefined && { tags: tag }),
        ...behind(["createdAt", "_id"], "$lt", after),
      };
      const found = servers.find(filter, LISTED).sort({ createdAt: -1, _id: -1 }).limit(limit);
      return (await found.lean<ListedDocument[]>()).map(listedOf);
    },
    async listTrending({ after, limit }) {
      const filter = { visibility: "public" as const, ...behind(["heat", "_id"], "$lt", after) };
      const found = await servers
        .find(filter, LISTED)
        .sort({ heat: -1, _id: -1 })
        .limit(limit)
        .lean<ListedDocument[]>();
      return found.map((server): { server: ListedServer; heat: Heat } => ({
        server: listedOf(server),
        heat: server.heat,
      }));
    },
  };
}

export function mongoServers(collections: Collections, locks: Locks, steps: Steps): ServerStore {
  const reading = reads(collections, steps);
  return { ...reading, ...writes(collections, locks, steps, reading) };
}
