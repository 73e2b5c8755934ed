import { ProblemError } from "@hearth/contracts";
import type { ErrorCode, Quota, Visibility } from "@hearth/contracts";
import type { Limiter } from "@hearth/runtime";
import { requireVisible, retryOnConflict } from "../access.ts";
import { banned, isInForce } from "./bans.ts";
import { isUsable } from "./invites.ts";
import type { Person, Ports } from "../ports.ts";
import type { Ending, Membership } from "../records.ts";
import { announceMember } from "../server-events.ts";
import { joinPoints } from "../trending.ts";

/** For the metric; `member` was a member already. */
export type JoinOutcome = "joined" | "member" | Lowercase<ErrorCode>;

export interface Joined extends Membership {
  readonly becameMember: boolean;
  /** The rest of DI6's limit, if this join counted towards it. */
  readonly quota: Quota | null;
}

/** A user's own membership. REST and the socket join through the same function (rules DI3, DI6, WS8). */
export interface Memberships {
  join(person: Person, serverId: string, inviteCode?: string): Promise<Joined>;
  leave(userId: string, serverId: string): Promise<void>;
}

export interface MembershipDeps extends Ports {
  readonly joins: Limiter;
  readonly countJoin: (outcome: JoinOutcome) => void;
}

export function createMemberships(deps: MembershipDeps): Memberships {
  const { store, newId, endings, countJoin } = deps;
  const { members } = store;
  return {
    join: async (person, serverId, inviteCode) => {
      const attempt: JoinAttempt = { person, serverId, inviteCode, quota: null };
      try {
        const joined = await retryOnConflict(() => tryToJoin(deps, attempt));
        countJoin(joined.becameMember ? "joined" : "member");
        if (joined.becameMember) await announceMember(deps, joined.member);
        return joined;
      } catch (error) {
        // Another device of the account may have used up the limit with the same join.
        const found = isRateLimited(error) ? await members.serverAndMember(serverId, person.userId) : null;
        if (found?.member) return { ...found, member: found.member, becameMember: false, quota: null };
        countJoin(outcomeOf(error));
        throw error;
      }
    },

    leave: async (userId, serverId) => {
      const ending: Ending = { id: newId(), serverId, userId, reason: "left" };
      await retryOnConflict(async () => {
        const { member } = await requireVisible(members, serverId, userId);
        if (member === null) throw new ProblemError("NOT_FOUND", "You are not a member of this server");
        if (member.role === "owner") {
          throw new ProblemError(
            "CONFLICT",
            "The owner transfers or deletes the server instead of leaving it",
          );
        }
        return (await members.remove(member, null, ending)) || null;
      });
      await endings.announce(ending);
    },
  };
}

interface JoinAttempt {
  readonly person: Person;
  readonly serverId: string;
  readonly inviteCode: string | undefined;
  /** Consumed once, even if the write is stale and the attempt is repeated. */
  quota: Quota | null;
}

async function tryToJoin(deps: MembershipDeps, attempt: JoinAttempt): Promise<Joined | null> {
  const { members } = deps.store;
  const { person, serverId } = attempt;
  const found = await members.serverAndMember(serverId, person.userId);
  const member = found?.member ?? null;
  if (found !== null && member !== null) {
    if (member.username === null && person.username !== null)
      await members.addUsername(person.userId, person.username);
    return { server: found.server, member, becameMember: false, quota: attempt.quota };
  }
  const visibility = found?.server.visibility ?? "private";
  const inviteCode = await admission(deps, visibility, attempt);
  attempt.quota ??= await deps.joins.consume(person.userId);
  const added = await members.add({
    member: { serverId, ...person, role: "member", joinedAt: deps.clock.now() },
    visibility,
    inviteCode,
    points: joinPoints(1),
  });
  return added && { ...added, becameMember: true, quota: attempt.quota };
}

/**
 * The code of the invite that admits the user, or `null` if the server is open; throws if neither admits. A server that
 * does not exist is handled like a private one, with the same reads and answers, so that nobody can tell them apart.
 */
async function admission(
  { store, clock }: Ports,
  visibility: Visibility,
  { person, serverId, inviteCode }: JoinAttempt,
): Promise<string | null> {
  const ban = await store.bans.find(serverId, person.userId);
  if (ban !== null && isInForce(ban, clock.now())) throw banned();
  const invite = inviteCode === undefined ? null : await store.invites.find(inviteCode);
  if (invite?.serverId === serverId && isUsable(invite, clock.now())) return invite.code;
  if (visibility !== "private") return null;
  throw new ProblemError(
    "ACCESS_DENIED",
    inviteCode === undefined ? undefined : "The invite is not valid, or not any more",
  );
}

const outcomeOf = (error: unknown): JoinOutcome => {
  const code = error instanceof ProblemError ? error.code : "INTERNAL";
  return code.toLowerCase() as Lowercase<ErrorCode>;
};

const isRateLimited = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === "RATE_LIMITED";
