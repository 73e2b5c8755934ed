import { ProblemError } from "@hearth/contracts";
import type { ErrorCode, Quota, Visibility } from "@hearth/contracts";
import type { Limiter } from "@hearth/runtime";
import { retryOnConflict, requireVisible } from "../access.ts";
import { banned, inForce } from "./bans.ts";
import { usable } from "./invites.ts";
import { announceMember } from "../server-events.ts";
import type { Person, Ports } from "../ports.ts";
import type { Ending, Membership } from "../records.ts";
import { joinPoints } from "../trending.ts";

/** For the metric; `member` came back to a server of theirs. */
export type JoinOutcome = "joined" | "member" | Lowercase<ErrorCode>;

export interface Joined extends Membership {
  readonly becameMember: boolean;
  /** What is left of the limit of DI6, where this join counted towards it. */
  readonly quota: Quota | null;
}

export interface MembershipDeps extends Ports {
  readonly joins: Limiter;
  readonly counted: (outcome: JoinOutcome) => void;
}

/** One's own membership: REST and the socket enter through the same function (rules DI3, DI6, WS8). */
export class Memberships {
  readonly #deps: MembershipDeps;

  constructor(deps: MembershipDeps) {
    this.#deps = deps;
  }

  async join(person: Person, serverId: string, inviteCode?: string): Promise<Joined> {
    const { store, counted } = this.#deps;
    const attempt: JoinAttempt = { person, serverId, inviteCode, quota: null };
    try {
      const joined = await retryOnConflict(() => this.#attempt(attempt));
      counted(joined.becameMember ? "joined" : "member");
      if (joined.becameMember) await announceMember(this.#deps, joined.member);
      return joined;
    } catch (error) {
      // Another device of the account may have used up the limit by the very same join.
      const standing = isLimit(error) ? await store.members.serverAndMember(serverId, person.userId) : null;
      if (standing?.member) return { ...standing, member: standing.member, becameMember: false, quota: null };
      counted(outcomeOf(error));
      throw error;
    }
  }

  async leave(userId: string, serverId: string): Promise<void> {
    const { store, newId, endings } = this.#deps;
    const ending: Ending = { id: newId(), serverId, userId, reason: "left" };
    await retryOnConflict(async () => {
      const { member } = await requireVisible(store.members, serverId, userId);
      if (member === null) throw new ProblemError("NOT_FOUND", "You are not a member of this server");
      if (member.role === "owner") {
        throw new ProblemError("CONFLICT", "The owner transfers or deletes the server instead of leaving it");
      }
      return (await store.members.remove(member, null, ending)) || null;
    });
    await endings.announce(ending);
  }

  async #attempt(attempt: JoinAttempt): Promise<Joined | null> {
    const { store, clock, joins } = this.#deps;
    const { person, serverId } = attempt;
    const standing = await store.members.serverAndMember(serverId, person.userId);
    const member = standing?.member ?? null;
    if (standing !== null && member !== null) {
      if (member.username === null && person.username !== null)
        await store.members.addUsername(person.userId, person.username);
      return { server: standing.server, member, becameMember: false, quota: attempt.quota };
    }
    const visibility = standing?.server.visibility ?? "private";
    const inviteCode = await this.#admission(visibility, attempt);
    attempt.quota ??= await joins.consume(person.userId);
    const joinedAt = clock.now();
    const added = await store.members.add({
      member: { serverId, ...person, role: "member", joinedAt },
      visibility,
      inviteCode,
      points: joinPoints(1),
    });
    return added && { ...added, becameMember: true, quota: attempt.quota };
  }

  /**
   * The invite that is used up by one, where one is; throws where neither the server nor an invite admits. A server that
   * does not exist is treated as a private one, with the same reads and answers, so that nobody can tell them apart.
   */
  async #admission(
    visibility: Visibility,
    { person, serverId, inviteCode }: JoinAttempt,
  ): Promise<string | null> {
    const { store, clock } = this.#deps;
    const ban = await store.bans.find(serverId, person.userId);
    if (ban !== null && inForce(ban, clock.now())) throw banned();
    const invite = inviteCode === undefined ? null : await store.invites.find(inviteCode);
    if (invite?.serverId === serverId && usable(invite, clock.now())) return invite.code;
    if (visibility !== "private") return null;
    throw new ProblemError(
      "ACCESS_DENIED",
      inviteCode === undefined ? undefined : "The invite is not valid, or not any more",
    );
  }
}

interface JoinAttempt {
  readonly person: Person;
  readonly serverId: string;
  readonly inviteCode: string | undefined;
  /** Counted once, however often the write comes too late. */
  quota: Quota | null;
}

const outcomeOf = (error: unknown): JoinOutcome => {
  const code = error instanceof ProblemError ? error.code : "INTERNAL";
  return code.toLowerCase() as Lowercase<ErrorCode>;
};

const isLimit = (error: unknown): boolean => error instanceof ProblemError && error.code === "RATE_LIMITED";
