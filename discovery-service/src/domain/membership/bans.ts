import { ProblemError, banSchema } from "@hearth/contracts";
import type { Ban } from "@hearth/contracts";
import { pickFields } from "@hearth/runtime";
import { authorised, changedMeanwhile, retryOnConflict, staleWrite } from "../access.ts";
import { decodeCursor, encodeCursor, pageOf, timePosition } from "../cursors.ts";
import type { PageOf, PageRequest } from "../cursors.ts";
import { outranks } from "../permissions.ts";
import type { Ports } from "../ports.ts";
import type { BanRecord, Ending } from "../records.ts";
import { requireFuture } from "../times.ts";

export const isInForce = (ban: Pick<Ban, "expiresAt">, now: number): boolean =>
  ban.expiresAt === null || ban.expiresAt > now;

export const banned = (): ProblemError => new ProblemError("BANNED", "You are banned from this server");

export interface BanInput {
  readonly reason?: string | undefined;
  readonly expiresAt?: number | undefined;
}

const banOf = (record: BanRecord): Ban => pickFields(banSchema, record);

/** DI3: a ban ends the membership and refuses every way back until it expires or is lifted. */
export interface Bans {
  ban(actorId: string, serverId: string, userId: string, input: BanInput): Promise<Ban>;
  lift(actorId: string, serverId: string, userId: string): Promise<void>;
  list(actorId: string, serverId: string, page: PageRequest): Promise<PageOf<Ban>>;
}

export function createBans({ store, clock, newId, endings, quotas }: Ports): Bans {
  const { bans, members } = store;
  return {
    ban: async (actorId, serverId, userId, input) => {
      const now = clock.now();
      const ban: BanRecord = {
        serverId,
        userId,
        bannedBy: actorId,
        reason: input.reason ?? null,
        createdAt: now,
        expiresAt: requireFuture(input.expiresAt, now),
        revision: newId(),
      };
      const ending: Ending = { id: newId(), serverId, userId, reason: "banned" };
      let read: BanRecord | null | undefined;
      await retryOnConflict(async () => {
        const { member: actor } = await authorised(members, serverId, actorId, "moderate");
        const before = await bans.find(serverId, userId);
        if (read !== undefined && read?.revision !== before?.revision) throw changedMeanwhile();
        read = before;
        const target = (await members.serverAndMember(serverId, userId))?.member ?? null;
        if (!outranks(actor.role, target?.role ?? null)) {
          throw new ProblemError("FORBIDDEN", "You may only ban users of a lower role than yours");
        }
        return (await bans.put(ban, before, target, actor, ending, quotas)) || null;
      });
      await endings.announce(ending);
      return banOf(ban);
    },

    lift: async (actorId, serverId, userId) => {
      const { member } = await authorised(members, serverId, actorId, "moderate");
      const ban = await bans.find(serverId, userId);
      if (ban === null || !isInForce(ban, clock.now())) {
        throw new ProblemError("NOT_FOUND", "This user is not banned");
      }
      if (!(await bans.lift(ban, member))) throw await staleWrite(members, member, "moderate");
    },

    list: async (actorId, serverId, { limit, cursor }) => {
      await authorised(members, serverId, actorId, "moderate");
      const scope = `bans:${serverId}`;
      const after = decodeCursor(scope, timePosition, cursor);
      const rows = await bans.list(serverId, { after, limit: limit + 1 }, clock.now());
      const page = pageOf(rows, limit, (last) => encodeCursor(scope, [last.createdAt, last.userId]));
      return { ...page, items: page.items.map(banOf) };
    },
  };
}
