import { ProblemError } from "@hearth/contracts";
import type { Invite, InvitePreview } from "@hearth/contracts";
import { authorised, requireVisible, retryOnConflict } from "../access.ts";
import { decodeCursor, encodeCursor, pageOf, timePosition } from "../cursors.ts";
import type { PageOf, PageRequest } from "../cursors.ts";
import { inviteActionFor, may } from "../permissions.ts";
import type { Ports } from "../ports.ts";
import { requireFuture } from "../times.ts";

/** 62^10 codes cannot be guessed: a user who knows one was given it. */
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CODE_LENGTH = 10;

/** `random(n)` answers an unpredictable integer from 0 to below `n`. */
export const newCode = (random: (below: number) => number): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[random(ALPHABET.length)]).join("");

export const isUsable = ({ expiresAt, maxUses, uses }: Invite, now: number): boolean =>
  (expiresAt === null || expiresAt > now) && (maxUses === null || uses < maxUses);

export interface InviteInput {
  readonly expiresAt?: number | undefined;
  readonly maxUses?: number | undefined;
}

/** DI3: invites, the only way into a private server besides an approved request. */
export interface Invites {
  create(actorId: string, serverId: string, input: InviteInput): Promise<Invite>;
  /** AB9: the invites that are usable now. */
  list(actorId: string, serverId: string, page: PageRequest): Promise<PageOf<Invite>>;
  preview(code: string): Promise<InvitePreview>;
  withdraw(actorId: string, code: string): Promise<void>;
}

export interface InvitesDeps extends Ports {
  readonly random: (below: number) => number;
}

const notFound = (): ProblemError =>
  new ProblemError("NOT_FOUND", "There is no such invite, or not any more");

export function createInvites({ store, clock, random, quotas, presentation }: InvitesDeps): Invites {
  const { invites, members } = store;
  return {
    create: (actorId, serverId, input) =>
      retryOnConflict(async () => {
        const { server, member } = await authorised(members, serverId, actorId, "invite");
        if (!may(member.role, inviteActionFor(server.visibility))) {
          throw new ProblemError("FORBIDDEN", "Only the owner and moderators invite to a private server");
        }
        const now = clock.now();
        const invite: Invite = {
          code: newCode(random),
          serverId,
          createdBy: actorId,
          createdAt: now,
          expiresAt: requireFuture(input.expiresAt, now),
          maxUses: input.maxUses ?? null,
          uses: 0,
        };
        return (await invites.create(invite, member, quotas)) ? invite : null;
      }),

    list: async (actorId, serverId, { limit, cursor }) => {
      await authorised(members, serverId, actorId, "moderate");
      const scope = `invites:${serverId}`;
      const after = decodeCursor(scope, timePosition, cursor);
      const rows = await invites.list(serverId, { after, limit: limit + 1 }, clock.now());
      return pageOf(rows, limit, (last) => encodeCursor(scope, [last.createdAt, last.code]));
    },

    preview: async (code) => {
      const invite = await invites.find(code);
      if (invite === null || !isUsable(invite, clock.now())) throw notFound();
      const server = await store.servers.find(invite.serverId);
      if (server === null) throw notFound();
      return presentation.preview(invite, server);
    },

    withdraw: async (actorId, code) => {
      await retryOnConflict(async () => {
        const invite = await invites.find(code);
        if (invite === null) throw notFound();
        if (invite.createdBy === actorId) return (await invites.remove(invite, null)) || null;
        const { member } = await requireVisible(members, invite.serverId, actorId);
        if (member === null || !may(member.role, "moderate")) {
          throw new ProblemError("FORBIDDEN", "Only its maker, the owner and moderators withdraw an invite");
        }
        return (await invites.remove(invite, member)) || null;
      });
    },
  };
}
