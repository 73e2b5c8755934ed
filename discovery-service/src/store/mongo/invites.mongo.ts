import type { Invite } from "@hearth/contracts";
import { isDuplicateKey } from "@hearth/runtime/network";
import type { Collections, InviteDocument } from "./collections.mongo.ts";
import type { Locks } from "./locks.mongo.ts";
import { requireQuota } from "../../domain/quotas.ts";
import { afterPosition, withoutId } from "./steps.mongo.ts";
import type { Steps } from "./steps.mongo.ts";
import type { InviteStore } from "../../domain/store.ts";

export const inviteOf = (invite: InviteDocument): Invite => ({ code: invite._id, ...withoutId(invite) });

/** A server has few enough invites to check each one. */
const isSpent = ({ expiresAt, maxUses, uses }: InviteDocument, now: number): boolean =>
  (expiresAt !== null && expiresAt <= now) || (maxUses !== null && uses >= maxUses);

const deleteSpentOf =
  ({ invites }: Collections) =>
  async (serverId: string, now: number): Promise<void> => {
    const limits = { $or: [{ expiresAt: { $ne: null } }, { maxUses: { $ne: null } }] };
    const limited = await invites.find({ serverId, ...limits }).lean<InviteDocument[]>();
    const spent = limited.filter((invite) => isSpent(invite, now)).map(({ _id }) => _id);
    if (spent.length > 0) await invites.deleteMany({ _id: { $in: spent } });
  };

/** The users whose invites to this server are valid. */
const makersIn =
  ({ servers, members, invites }: Collections) =>
  async (serverId: string): Promise<string[]> => {
    const server = await servers.findById(serverId, "visibility").lean();
    const makers = await invites.distinct("createdBy", { serverId });
    const roles = server?.visibility === "private" ? { role: { $ne: "member" as const } } : {};
    const found = await members.find({ serverId, userId: { $in: makers }, ...roles }, "userId").lean();
    return found.map(({ userId }) => userId);
  };

export function mongoInvites(collections: Collections, locks: Locks, steps: Steps): InviteStore {
  const { invites } = collections;
  const deleteSpent = deleteSpentOf(collections);
  const makersOf = makersIn(collections);
  return {
    create: ({ code, ...rest }, authority, quota) =>
      locks.hold(rest.serverId, async () => {
        const { serverId, createdBy, createdAt } = rest;
        if (!(await steps.hasRole(authority))) return false;
        await deleteSpent(serverId, createdAt);
        const own = await invites.countDocuments({ serverId, createdBy });
        requireQuota("invites_member", own, quota.invitesOfMember);
        requireQuota("invites", await invites.countDocuments({ serverId }), quota.invites);
        try {
          await invites.create([{ _id: code, ...rest }]);
          return true;
        } catch (error) {
          if (isDuplicateKey(error)) return false;
          throw error;
        }
      }),
    async find(code) {
      const invite = await invites.findById(code).lean<InviteDocument>();
      return invite && (await steps.mayInvite(invite.serverId, invite.createdBy)) ? inviteOf(invite) : null;
    },
    async list(serverId, { after, limit }, now) {
      const createdBy = { $in: await makersOf(serverId) };
      const listed: Invite[] = [];
      // Spent invites are filtered out after the read, so one read may not fill the page.
      for (let position = after; listed.length < limit; ) {
        const filter = { serverId, createdBy, ...afterPosition(["createdAt", "_id"], "$lt", position) };
        const found = invites.find(filter).sort({ createdAt: -1, _id: -1 }).limit(limit);
        const rows = await found.lean<InviteDocument[]>();
        listed.push(...rows.filter((invite) => !isSpent(invite, now)).map(inviteOf));
        const last = rows.at(-1);
        if (last === undefined || rows.length < limit) break;
        position = [last.createdAt, last._id];
      }
      return listed.slice(0, limit);
    },
    remove: ({ code, serverId }, authority) =>
      locks.hold(serverId, async () => {
        if (authority !== null && !(await steps.hasRole(authority))) return false;
        return (await invites.deleteOne({ _id: code })).deletedCount === 1;
      }),
  };
}
