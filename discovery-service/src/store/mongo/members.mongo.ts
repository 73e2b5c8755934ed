import type { Role } from "@hearth/contracts";
import { pairId } from "./collections.mongo.ts";
import type { Collections } from "./collections.mongo.ts";
import type { Locks } from "./locks.mongo.ts";
import { LISTED, afterPosition, listedOf, memberOf } from "./steps.mongo.ts";
import type { ListedDocument, Steps } from "./steps.mongo.ts";
import type { MemberRecord, NewMember } from "../../domain/records.ts";
import type { MemberStore } from "../../domain/store.ts";

type Writes = Pick<MemberStore, "add" | "remove" | "setRole">;
type Reads = Omit<MemberStore, keyof Writes>;

function writes({ members, invites }: Collections, locks: Locks, steps: Steps): Writes {
  const admits = async ({ member, visibility }: NewMember): Promise<boolean> => {
    const { serverId, userId, joinedAt } = member;
    const found = await steps.serverAndMember(serverId, userId);
    if (found?.member !== null || found.server.visibility !== visibility) return false;
    return !(await steps.isBanned(serverId, userId, joinedAt));
  };

  const useInvite = async (code: string, { serverId, joinedAt }: MemberRecord): Promise<boolean> => {
    const invite = await invites.findOne({ _id: code, serverId }).lean();
    if (!invite || !(await steps.mayInvite(serverId, invite.createdBy))) return false;
    if (invite.expiresAt !== null && invite.expiresAt <= joinedAt) return false;
    if (invite.maxUses !== null && invite.uses >= invite.maxUses) return false;
    const counted = await invites.updateOne({ _id: code, uses: invite.uses }, { $inc: { uses: 1 } });
    return counted.modifiedCount === 1;
  };

  return {
    add: (entry) =>
      locks.hold(entry.member.serverId, async () => {
        const { member, inviteCode, points } = entry;
        if (!(await admits(entry))) return null;
        if (inviteCode !== null && !(await useInvite(inviteCode, member))) return null;
        await steps.insertMember(member, points);
        const joined = await steps.serverAndMember(member.serverId, member.userId);
        return joined && { server: joined.server, member };
      }),
    remove: (member, authority, ending) =>
      locks.hold(member.serverId, async () => {
        if (!(await steps.hasRole(member)) || (authority !== null && !(await steps.hasRole(authority))))
          return false;
        await steps.storeEnding(ending);
        await steps.deleteInvites(member.serverId, member.userId);
        await steps.deleteMember(member.serverId, member.userId);
        return true;
      }),
    setRole: (member, role, authority) =>
      locks.hold(member.serverId, async () => {
        if (!(await steps.hasRole(authority)) || !(await steps.hasRole(member))) return false;
        const { serverId, userId } = member;
        const filter = { _id: pairId(serverId, userId) };
        if ((await members.updateOne(filter, { $set: { role } })).matchedCount === 0) return false;
        if (!(await steps.mayInvite(serverId, userId))) await steps.deleteInvites(serverId, userId);
        return true;
      }),
  };
}

function reads({ servers, members, requests }: Collections, steps: Steps): Reads {
  return {
    serverAndMember: (serverId, userId) => steps.serverAndMember(serverId, userId),
    async list(serverId, { after, limit }) {
      const filter = { serverId, ...afterPosition(["joinedAt", "userId"], "$gt", after) };
      return (await members.find(filter).sort({ joinedAt: 1, userId: 1 }).limit(limit).lean()).map(memberOf);
    },
    async listOf(userId, { after, limit }) {
      const filter = { userId, ...afterPosition(["joinedAt", "serverId"], "$gt", after) };
      const found = await members.find(filter).sort({ joinedAt: 1, serverId: 1 }).limit(limit).lean();
      const ids = found.map(({ serverId }) => serverId);
      const known = await servers.find({ _id: { $in: ids } }, LISTED).lean<ListedDocument[]>();
      const byId = new Map(known.map((server) => [server._id, listedOf(server)]));
      return found.flatMap((member) => {
        const server = byId.get(member.serverId);
        return server ? [{ server, member: memberOf(member) }] : [];
      });
    },
    async staff(serverId) {
      const filter = { serverId, role: { $in: ["owner", "moderator"] as Role[] } };
      return (await members.find(filter, "userId").lean()).map(({ userId }) => userId);
    },
    async longestMember(serverId, role) {
      const found = members.find({ serverId, role }).sort({ joinedAt: 1, userId: 1 }).limit(1);
      const [first] = await found.lean();
      return first ? memberOf(first) : null;
    },
    async shareServer(userId, otherUserId) {
      const mine = (await members.find({ userId }, "serverId").lean()).map(({ serverId }) => serverId);
      return (await members.exists({ userId: otherUserId, serverId: { $in: mine } })) !== null;
    },
    async rename(userId, displayName) {
      await members.updateMany({ userId }, { $set: { displayName } });
      await requests.updateMany({ userId, status: "pending" }, { $set: { displayName } });
    },
    async addUsername(userId, username) {
      await members.updateMany({ userId, username: null }, { $set: { username } });
      await requests.updateMany({ userId, username: null }, { $set: { username } });
    },
  };
}

export const mongoMembers = (collections: Collections, locks: Locks, steps: Steps): MemberStore => ({
  ...writes(collections, locks, steps),
  ...reads(collections, steps),
});
