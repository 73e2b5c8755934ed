import { ProblemError } from "@hearth/contracts";
import type { Invite, InvitePreview } from "@hearth/contracts";
import { authorised, retryOnConflict, requireVisible } from "../access.ts";
import { inviteTo, may } from "../permissions.ts";
import { decodeCursor, encodeCursor, pageOf, timePosition } from "../cursors.ts";
import type { PageOf, PageRequest } from "../cursors.ts";
import type { Ports } from "../ports.ts";
import { future } from "../times.ts";

/** A code cannot be guessed, so that whoever holds one was given it: 62^10 of them. */
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CODE_LENGTH = 10;

/** `random(n)` answers an unpredictable integer from 0 to below `n`. */
export const newCode = (random: (below: number) => number): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[random(ALPHABET.length)]).join("");

export const usable = ({ expiresAt, maxUses, uses }: Invite, now: number): boolean =>
  (expiresAt === null || expiresAt > now) && (maxUses === null || uses < maxUses);

export interface InviteOrder {
  readonly expiresAt?: number | undefined;
  readonly maxUses?: number | undefined;
}

export interface InvitesDeps extends Ports {
  readonly random: (below: number) => number;
}

const notFound = (): ProblemError =>
  new ProblemError("NOT_FOUND", "There is no such invite, or not any more");

/** DI3: invites, the only way into a private server beside an approved request. */
export class Invites {
  readonly #deps: InvitesDeps;

  constructor(deps: InvitesDeps) {
    this.#deps = deps;
  }

  async create(actorId: string, serverId: string, order: InviteOrder): Promise<Invite> {
    const { store, clock, random, quotas } = this.#deps;
    return retryOnConflict(async () => {
      const { server, member } = await authorised(store.members, serverId, actorId, "invite");
      if (!may(member.role, inviteTo(server.visibility))) {
        throw new ProblemError("FORBIDDEN", "Only the owner and moderators invite to a private server");
      }
      const now = clock.now();
      const invite: Invite = {
        code: newCode(random),
        serverId,
        createdBy: actorId,
        createdAt: now,
        expiresAt: future(order.expiresAt, now),
        maxUses: order.maxUses ?? null,
        uses: 0,
      };
      return (await store.invites.create(invite, member, quotas)) ? invite : null;
    });
  }

  /** AB9: those that somebody could use now. */
  async list(actorId: string, serverId: string, { limit, cursor }: PageRequest): Promise<PageOf<Invite>> {
    const { store, clock } = this.#deps;
    await authorised(store.members, serverId, actorId, "moderate");
    const scope = `invites:${serverId}`;
    const after = decodeCursor(scope, timePosition, cursor);
    const rows = await store.invites.list(serverId, { after, limit: limit + 1 }, clock.now());
    return pageOf(rows, limit, (last) => encodeCursor(scope, [last.createdAt, last.code]));
  }

  async preview(code: string): Promise<InvitePreview> {
    const { store, clock, presentation } = this.#deps;
    const invite = await store.invites.find(code);
    if (invite === null || !usable(invite, clock.now())) throw notFound();
    const server = await store.servers.find(invite.serverId);
    if (server === null) throw notFound();
    return presentation.preview(invite, server);
  }

  async withdraw(actorId: string, code: string): Promise<void> {
    const { store } = this.#deps;
    await retryOnConflict(async () => {
      const invite = await store.invites.find(code);
      if (invite === null) throw notFound();
      if (invite.createdBy === actorId) return (await store.invites.remove(invite, null)) || null;
      const { member } = await requireVisible(store.members, invite.serverId, actorId);
      if (member === null || !may(member.role, "moderate")) {
        throw new ProblemError("FORBIDDEN", "Only its maker, the owner and moderators withdraw an invite");
      }
      return (await store.invites.remove(invite, member)) || null;
    });
  }
}
