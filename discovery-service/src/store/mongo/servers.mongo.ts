import { pickFields } from "@hearth/runtime";
import type { Collections, ServerDocument } from "./collections.mongo.ts";
import { pairId } from "./collections.mongo.ts";
import { deleteModeration } from "./repair.mongo.ts";
import type { Locks } from "./locks.mongo.ts";
import { LISTED, afterPosition, listedOf, serverOf } from "./steps.mongo.ts";
import type { ListedDocument, Steps } from "./steps.mongo.ts";
import { editedServer } from "../../domain/records.ts";
import type { ListedServer } from "../../domain/records.ts";
import type { ServerStore } from "../../domain/store.ts";
import type { Heat } from "../../domain/trending.ts";

/** Locks the number of servers that an account owns. Taken inside a server's lock, never around one. */
const ownerLock = (ownerId: string): string => `owner ${ownerId}`;

type Writes = Pick<ServerStore, "create" | "update" | "remove" | "transfer" | "addHeat">;
type Reads = Omit<ServerStore, keyof Writes>;

function writes(collections: Collections, locks: Locks, steps: Steps, { find }: Reads): Writes {
  const { servers, members } = collections;
  return {
    create: (server, owner, heat, quota) =>
      locks.hold(ownerLock(server.ownerId), async () => {
        const { id, ownerId, createdAt } = server;
        await steps.requireServerQuota(ownerId, quota);
        // The owner first: nobody sees a membership whose server was never created.
        await steps.addMember(owner);
        await servers.create([
          { _id: id, ...pickFields(editedServer, server), ownerId, createdAt, memberCount: 1, heat },
        ]);
      }),
    update: (authority, next) =>
      locks.hold(next.id, async () => {
        if (!(await steps.hasRole(authority))) return false;
        const filter = { _id: next.id, version: next.version - 1 };
        if ((await servers.updateOne(filter, { $set: pickFields(editedServer, next) })).matchedCount === 0)
          return false;
        if (next.visibility === "private") await steps.deleteMemberInvites(next.id);
        return true;
      }),
    remove: (authority, ending) =>
      locks.hold(ending.serverId, async () => {
        const { serverId } = ending;
        if (authority !== null && !(await steps.hasRole(authority))) return false;
        if (!(await servers.exists({ _id: serverId }))) return false;
        // The ending first and the server last: if this process dies in between, the server can be removed again.
        await steps.storeEnding(ending);
        await deleteModeration(collections, serverId);
        await servers.deleteOne({ _id: serverId });
        await members.deleteMany({ serverId });
        return true;
      }),
    transfer: (authority, to, at, quota) =>
      locks.hold(to.serverId, async () => {
        if (!(await steps.hasRole(authority)) || !(await steps.hasRole(to))) return null;
        const { serverId } = to;
        const change = { $set: { ownerId: to.userId, updatedAt: at }, $inc: { version: 1 } };
        await locks.hold(ownerLock(to.userId), async () => {
          if (quota !== null) await steps.requireServerQuota(to.userId, quota);
          // The server's `ownerId` decides who owns it; `repair` corrects roles that this process did not write.
          await servers.updateOne({ _id: serverId }, change);
        });
        await members.updateOne({ _id: pairId(serverId, to.userId) }, { $set: { role: "owner" } });
        await members.updateOne({ _id: pairId(serverId, authority.userId) }, { $set: { role: "moderator" } });
        return find(serverId);
      }),
    async addHeat(items, at) {
      for (const { serverId, points } of items) await steps.addHeat(serverId, points, at);
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
        ...afterPosition(["createdAt", "_id"], "$lt", after),
      };
      const found = servers.find(filter, LISTED).sort({ createdAt: -1, _id: -1 }).limit(limit);
      return (await found.lean<ListedDocument[]>()).map(listedOf);
    },
    async listTrending({ after, limit }) {
      const filter = { visibility: "public" as const, ...afterPosition(["heat", "_id"], "$lt", after) };
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
