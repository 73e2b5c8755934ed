import type { Log } from "@hearth/runtime";
import { retryOnConflict } from "../access.ts";
import { announceMember, announceServer } from "../server-events.ts";
import type { Ports } from "../ports.ts";
import type { Ending, ListedMembership, MemberRecord } from "../records.ts";

const BATCH = 100;
/** Of each kind of record; the export is one message of the bus. */
const MAX_EXPORTED = 1_000;

export type OwnedServers = "transfer" | "delete";

/** AB12: what becomes of an account's records here when it ends, and what it may read of them before. */
export class Accounts {
  readonly #ports: Ports;
  readonly #log: Log;

  constructor(ports: Ports, log: Log) {
    this.#ports = ports;
    this.#log = log;
  }

  /** Repeating it is harmless: it removes whatever is still there. */
  async remove(userId: string, ownedServers: OwnedServers): Promise<void> {
    const { store } = this.#ports;
    for (;;) {
      const memberships = await store.members.listOf(userId, { after: null, limit: BATCH });
      for (const { server } of memberships) await this.#end(userId, server.id, ownedServers);
      if (memberships.length === 0) break;
    }
    await store.accounts.forget(userId);
    this.#log.info({ userId }, "account removed");
  }

  async exported(userId: string): Promise<Record<string, unknown>> {
    const { store } = this.#ports;
    const memberships = await this.#membershipsOf(userId);
    const { requests, invites, bans } = await store.accounts.records(userId, MAX_EXPORTED);
    return {
      memberships: memberships.map(({ server, member }) => ({
        serverId: server.id,
        name: server.name,
        role: member.role,
        joinedAt: member.joinedAt,
        displayName: member.displayName,
      })),
      serversOwned: memberships
        .filter(({ member }) => member.role === "owner")
        .map(({ server }) => ({ serverId: server.id, name: server.name, createdAt: server.createdAt })),
      requests: requests.map(({ decidedBy: _, ...request }) => request),
      invites,
      // Joining tells that there is a ban and since when it holds; who made it and why is the moderators' own.
      bans: bans.map(({ serverId, createdAt, expiresAt }) => ({ serverId, createdAt, expiresAt })),
    };
  }

  async #membershipsOf(userId: string): Promise<ListedMembership[]> {
    const found: ListedMembership[] = [];
    for (let after: [number, string] | null = null; found.length < MAX_EXPORTED; ) {
      const page: ListedMembership[] = await this.#ports.store.members.listOf(userId, {
        after,
        limit: BATCH,
      });
      found.push(...page);
      const last = page.at(-1);
      if (last === undefined || page.length < BATCH) break;
      after = [last.member.joinedAt, last.server.id];
    }
    return found;
  }

  /** Ends one membership; an owner's server goes to somebody else first, or goes itself. */
  async #end(userId: string, serverId: string, ownedServers: OwnedServers): Promise<void> {
    const { store, newId, endings } = this.#ports;
    const ending = await retryOnConflict(async (): Promise<Ending | "none" | null> => {
      const member = (await store.members.serverAndMember(serverId, userId))?.member;
      if (!member) return "none";
      const heir = member.role === "owner" && ownedServers === "transfer" ? await this.#heir(serverId) : null;
      if (heir !== null) {
        const moderator = await this.#handOver(member, heir);
        return moderator && this.#leave(moderator);
      }
      if (member.role !== "owner") return this.#leave(member);
      const deletion: Ending = { id: newId(), serverId, userId: null, reason: "deleted" };
      return (await store.servers.remove(member, deletion)) ? deletion : null;
    });
    if (ending !== "none") await endings.announce(ending);
  }

  /** The moderator, else the member, of longest standing. */
  async #heir(serverId: string): Promise<MemberRecord | null> {
    const { members } = this.#ports.store;
    return (await members.eldest(serverId, "moderator")) ?? (await members.eldest(serverId, "member"));
  }

  /** Whatever the heir owns already: a quota must not delete a server under its members. */
  async #handOver(owner: MemberRecord, heir: MemberRecord): Promise<MemberRecord | null> {
    const { store, clock } = this.#ports;
    const server = await store.servers.transfer(owner, heir, clock.now(), null);
    if (server === null) return null;
    await announceMember(this.#ports, { ...heir, role: "owner" });
    await announceServer(this.#ports, server);
    return { ...owner, role: "moderator" };
  }

  async #leave(member: MemberRecord): Promise<Ending | null> {
    const { serverId, userId } = member;
    const ending: Ending = { id: this.#ports.newId(), serverId, userId, reason: "left" };
    return (await this.#ports.store.members.remove(member, null, ending)) ? ending : null;
  }
}
