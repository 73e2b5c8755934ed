import type { AccessRequest, Role } from "@hearth/contracts";
import { pair } from "./collections.mongo.ts";
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
  Slice,
  Standing,
} from "../../domain/store.ts";
import { mayInvite } from "../../domain/permissions.ts";
import { requireRoom } from "../../domain/quotas.ts";
import type { Quotas } from "../../domain/quotas.ts";
import { heated } from "../../domain/trending.ts";

export const serverOf = ({ _id: id, heat: _, ...rest }: ServerDocument): ServerRecord => ({ id, ...rest });

/** What `LISTED` reads. */
export type ListedDocument = Omit<ServerDocument, "channels">;
export const LISTED = "-channels";
export const listedOf = ({ _id: id, heat: _, ...rest }: ListedDocument): ListedServer => ({ id, ...rest });

export const memberOf = ({
  serverId,
  userId,
  username,
  displayName,
  role,
  joinedAt,
}: MemberDocument): MemberRecord => ({
  serverId,
  userId,
  // Rows of an earlier version lack it.
  username: username ?? null,
  displayName,
  role,
  joinedAt,
});

export const without = <Document extends { readonly _id: string }>({
  _id,
  ...rest
}: Document): Omit<Document, "_id"> => rest;

export const requestOf = ({ _id: id, username, ...rest }: RequestDocument): AccessRequest => ({
  id,
  ...rest,
  // Rows of an earlier version lack it.
  username: username ?? null,
});

export const isInForce = ({ expiresAt }: Pick<BanDocument, "expiresAt">, at: number): boolean =>
  expiresAt === null || expiresAt > at;

type Position = readonly [number, string];
type Filter = Record<string, unknown>;

/** What comes behind a position of a list that is ordered by two fields. */
export function behind(
  [first, second]: readonly [string, string],
  direction: "$gt" | "$lt",
  after: Position | null,
): Filter {
  if (after === null) return {};
  const [value, id] = after;
  return { $or: [{ [first]: { [direction]: value } }, { [first]: value, [second]: { [direction]: id } }] };
}

export const limitOf = ({ limit }: Slice<unknown>): number => limit;

/** What several writes have in common. Each step runs while its caller holds the server's lock. */
export type Steps = ReturnType<typeof createSteps>;

function quotaSteps({ servers }: Collections) {
  const ownedBy = (ownerId: string): Promise<number> => servers.countDocuments({ ownerId });
  return {
    ownedBy,
    requireServerRoom: async (
      ownerId: string,
      { serversOwned }: Pick<Quotas, "serversOwned">,
    ): Promise<void> => requireRoom("servers_owned", await ownedBy(ownerId), serversOwned),
  };
}

type RoleOf = (serverId: string, userId: string) => Promise<Role | null>;

function inviteSteps({ servers, members, invites }: Collections, roleOf: RoleOf) {
  return {
    async mayStillInvite(serverId: string, userId: string): Promise<boolean> {
      const [server, role] = await Promise.all([
        servers.findById(serverId, "visibility").lean(),
        roleOf(serverId, userId),
      ]);
      return server !== null && mayInvite(role, server.visibility);
    },
    async withdrawInvites(serverId: string, createdBy: string): Promise<void> {
      await invites.deleteMany({ serverId, createdBy });
    },
    /** Those whose makers may not invite to a private server. */
    async endInvites(serverId: string): Promise<void> {
      const staff = await members.find({ serverId, role: { $ne: "member" } }, "userId").lean();
      await invites.deleteMany({ serverId, createdBy: { $nin: staff.map(({ userId }) => userId) } });
    },
  };
}

export function createSteps(collections: Collections) {
  const { servers, members, bans, endings } = collections;
  const roleOf: RoleOf = async (serverId, userId) =>
    (await members.findById(pair(serverId, userId)).lean())?.role ?? null;

  /** Reads and writes what was read: whoever was slower reads again. */
  const warm = async (serverId: string, points: number, at: number): Promise<void> => {
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
    await members.create([{ _id: pair(serverId, userId), ...memberOf({ _id: "", ...member }) }]);
  };

  return {
    ...quotaSteps(collections),
    ...inviteSteps(collections, roleOf),
    addMember,
    roleOf,
    warm,
    holds: async ({ serverId, userId, role }: Authority): Promise<boolean> =>
      (await roleOf(serverId, userId)) === role,
    async standing(serverId: string, userId: string): Promise<Standing | null> {
      const [server, member] = await Promise.all([
        servers.findById(serverId).lean(),
        members.findById(pair(serverId, userId)).lean(),
      ]);
      return server && { server: serverOf(server), member: member && memberOf(member) };
    },
    async isBanned(serverId: string, userId: string, at: number): Promise<boolean> {
      const ban = await bans.findById(pair(serverId, userId)).lean();
      return ban !== null && isInForce(ban, at);
    },
    async enter(member: MemberRecord, points: number): Promise<void> {
      const { serverId, joinedAt } = member;
      await addMember(member);
      await servers.updateOne({ _id: serverId }, { $inc: { memberCount: 1 } });
      await warm(serverId, points, joinedAt);
    },
    async exit(serverId: string, userId: string): Promise<void> {
      const { deletedCount } = await members.deleteOne({ _id: pair(serverId, userId) });
      if (deletedCount === 1) await servers.updateOne({ _id: serverId }, { $inc: { memberCount: -1 } });
    },
    async keepEnding({ id, serverId, userId, reason }: Ending): Promise<void> {
      await endings.create([{ _id: id, serverId, userId, reason }]);
    },
  };
}
