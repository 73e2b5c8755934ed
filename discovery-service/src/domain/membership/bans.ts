import { ProblemError } from "@hearth/contracts";
import type { Ban } from "@hearth/contracts";
import { authorised, changedMeanwhile, retryOnConflict, staleWrite } from "../access.ts";
import { decodeCursor, encodeCursor, pageOf, timePosition } from "../cursors.ts";
import type { PageOf, PageRequest } from "../cursors.ts";
import { outranks } from "../permissions.ts";
import type { Ports } from "../ports.ts";
import type { BanRecord, Ending } from "../records.ts";
import { future } from "../times.ts";

export const inForce = (ban: Pick<Ban, "expiresAt">, now: number): boolean =>
  ban.expiresAt === null || ban.expiresAt > now;

export const banned = (): ProblemError => new ProblemError("BANNED", "You are banned from this server");

export interface BanOrder {
  readonly reason?: string | undefined;
  readonly expiresAt?: number | undefined;
}

const banOf = ({ userId, bannedBy, reason, createdAt, expiresAt }: BanRecord): Ban => ({
  userId,
  bannedBy,
  reason,
  createdAt,
  expiresAt,
});

/** DI3: a ban ends the membership and refuses every way back until it expires or is lifted. */
export class Bans {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async ban(actorId: string, serverId: string, userId: string, order: BanOrder): Promise<Ban> {
    const { store, clock, newId, endings, quotas } = this.#ports;
    const now = clock.now();
    const ban: BanRecord = {
      serverId,
      userId,
      bannedBy: actorId,
      reason: order.reason ?? null,
      createdAt: now,
      expiresAt: future(order.expiresAt, now),
      revision: newId(),
    };
    const ending: Ending = { id: newId(), serverId, userId, reason: "banned" };
    let read: BanRecord | null | undefined;
    await retryOnConflict(async () => {
      const { member: actor } = await authorised(store.members, serverId, actorId, "moderate");
      const before = await store.bans.find(serverId, userId);
      if (read !== undefined && read?.revision !== before?.revision) throw changedMeanwhile();
      read = before;
      const target = (await store.members.serverAndMember(serverId, userId))?.member ?? null;
      if (!outranks(actor.role, target?.role ?? null)) {
        throw new ProblemError("FORBIDDEN", "You may only ban users of a lower role than yours");
      }
      return (await store.bans.put(ban, before, target, actor, ending, quotas)) || null;
    });
    await endings.announce(ending);
    return banOf(ban);
  }

  async lift(actorId: string, serverId: string, userId: string): Promise<void> {
    const { store, clock } = this.#ports;
    const { member } = await authorised(store.members, serverId, actorId, "moderate");
    const ban = await store.bans.find(serverId, userId);
    if (ban === null || !inForce(ban, clock.now())) {
      throw new ProblemError("NOT_FOUND", "This user is not banned");
    }
    if (!(await store.bans.lift(ban, member))) throw await staleWrite(store.members, member, "moderate");
  }

  async list(actorId: string, serverId: string, { limit, cursor }: PageRequest): Promise<PageOf<Ban>> {
    const { store, clock } = this.#ports;
    await authorised(store.members, serverId, actorId, "moderate");
    const scope = `bans:${serverId}`;
    const after = decodeCursor(scope, timePosition, cursor);
    const rows = await store.bans.list(serverId, { after, limit: limit + 1 }, clock.now());
    const page = pageOf(rows, limit, (last) => encodeCursor(scope, [last.createdAt, last.userId]));
    return { ...page, items: page.items.map(banOf) };
  }
}
