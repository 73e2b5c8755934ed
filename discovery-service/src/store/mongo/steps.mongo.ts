import type { AccessRequest, Role } from "@hearth/contracts";
import { pickFields } from "@hearth/runtime";
import { memberRecord } from "../../domain/records.ts";
import { pairId } from "./collections.mongo.ts";
import type {
  BanDocument,
  Collections,
  MemberDocument,
  RequestDocument,
  ServerDocument,
} from "./collections.mongo.ts";
import type {
  Authority,
  Ending,
  ListedServer,
  MemberRecord,
  ServerRecord,
  ServerAndMember,
} from "../../domain/records.ts";
import { roleMayInvite } from "../../domain/permissions.ts";
import { requireQuota } from "../../domain/quotas.ts";
import type { Quotas } from "../../domain/quotas.ts";
import { heated } from "../../domain/trending.ts";

export const serverOf = ({ _id: id, heat: _, ...rest }: ServerDocument): ServerRecord => ({ id, ...rest });

/** A document without its channels, as `LISTED` selects it. */
export type ListedDocument = Omit<ServerDocument, "channels">;
export const LISTED = "-channels";
export const listedOf = ({ _id: id, heat: _, ...rest }: ListedDocument): ListedServer => ({ id, ...rest });

/** Documents of an earlier version have no username. */
export const memberOf = (member: MemberDocument): MemberRecord =>
  pickFields(memberRecord, { ...member, username: member.username ?? null });

export const withoutId = <Document extends { readonly _id: string }>({
  _id,
  ...rest
}: Document): Omit<Document, "_id"> => rest;

export const requestOf = ({ _id: id, username, ...rest }: RequestDocument): AccessRequest => ({
  id,
  ...rest,
  // Documents of an earlier version have no username.
  username: username ?? null,
});

export const isInForce = ({ expiresAt }: Pick<BanDocument, "expiresAt">, at: number): boolean =>
  expiresAt === null || expiresAt > at;

type Position = readonly [number, string];
type Filter = Record<string, unknown>;

/** Matches the documents after a position in a list that is ordered by two fields. */
export function afterPosition(
  [first, second]: readonly [string, string],
  direction: "$gt" | "$lt",
  after: Position | null,
): Filter {
  if (after === null) return {};
  const [value, id] = after;
  return { $or: [{ [first]: { [direction]: value } }, { [first]: value, [second]: { [direction]: id } }] };
}

/** Steps that several writes share. Each runs while its caller holds the server's lock. */
export type Steps = ReturnType<typeof createSteps>;

function quotaSteps({ servers }: Collections) {
  const ownedBy = (ownerId: string): Promise<number> => servers.countDocuments({ ownerId });
  return {
    ownedBy,
    requireServerQuota: async (
      ownerId: string,
      { serversOwned }: Pick<Quotas, "serversOwned">,
    ): Promise<void> => requireQuota("servers_owned", await ownedBy(ownerId), serversOwned),
  };
}

type RoleOf = (serverId: string, userId: string) => Promise<Role | null>;

function inviteSteps({ servers, members, invites }: Collections, roleOf: RoleOf) {
  return {
    async mayInvite(serverId: string, userId: string): Promise<boolean> {
      const [server, role] = await Promise.all([
        servers.findById(serverId, "visibility").lean(),
        roleOf(serverId, userId),
      ]);
      return server !== null && roleMayInvite(role, server.visibility);
    },
    async deleteInvites(serverId: string, createdBy: string): Promise<void> {
      await invites.deleteMany({ serverId, createdBy });
    },
    /** Deletes the invites of members, who may not invite to a private server. */
    async deleteMemberInvites(serverId: string): Promise<void> {
      const staff = await members.find({ serverId, role: { $ne: "member" } }, "userId").lean();
      await invites.deleteMany({ serverId, createdBy: { $nin: staff.map(({ userId }) => userId) } });
    },
  };
}

export function createSteps(collections: Collections) {
  const { servers, members, bans, endings } = collections;
  const roleOf: RoleOf = async (serverId, userId) =>
    (await members.findById(pairId(serverId, userId)).lean())?.role ?? null;

  /** Writes only if the value is still the one that was read; otherwise reads again. */
  const addHeat = async (serverId: string, points: number, at: number): Promise<void> => {
    if (!(points > 0)) return;
    for (;;) {
      const server = await servers.findById(serverId, "heat").lean();
      if (!server) return;
      const filter = { _id: serverId, heat: server.heat };
      const heat = heated(server.heat, points, at);
      if ((await servers.updateOne(filter, { $set: { heat } })).matchedCount === 1) return;
    }
  };

  const addMember = async (member: MemberRecord): Promise<void> => {
    const { serverId, userId } = member;
    await members.create([{ _id: pairId(serverId, userId), ...pickFields(memberRecord, member) }]);
  };

  return {
    ...quotaSteps(collections),
    ...inviteSteps(collections, roleOf),
    addMember,
    roleOf,
    addHeat,
    hasRole: async ({ serverId, userId, role }: Authority): Promise<boolean> =>
      (await roleOf(serverId, userId)) === role,
    async serverAndMember(serverId: string, userId: string): Promise<ServerAndMember | null> {
      const [server, member] = await Promise.all([
        servers.findById(serverId).lean(),
        members.findById(pairId(serverId, userId)).lean(),
      ]);
      return server && { server: serverOf(server), member: member && memberOf(member) };
    },
    async isBanned(serverId: string, userId: string, at: number): Promise<boolean> {
      const ban = await bans.findById(pairId(serverId, userId)).lean();
      return ban !== null && isInForce(ban, at);
    },
    async insertMember(member: MemberRecord, points: number): Promise<void> {
      const { serverId, joinedAt } = member;
      await addMember(member);
      await servers.updateOne({ _id: serverId }, { $inc: { memberCount: 1 } });
      await addHeat(serverId, points, joinedAt);
    },
    async deleteMember(serverId: string, userId: string): Promise<void> {
      const { deletedCount } = await members.deleteOne({ _id: pairId(serverId, userId) });
      if (deletedCount === 1) await servers.updateOne({ _id: serverId }, { $inc: { memberCount: -1 } });
    },
    async storeEnding({ id, serverId, userId, reason }: Ending): Promise<void> {
      await endings.create([{ _id: id, serverId, userId, reason }]);
    },
  };
}
