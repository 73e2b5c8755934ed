import type { OwnedServers } from "@hearth/contracts";
import type { Log } from "@hearth/runtime";
import { retryOnConflict } from "../access.ts";
import type { Ports } from "../ports.ts";
import type { Ending, ListedMembership, MemberRecord } from "../records.ts";
import { announceMember, announceServer } from "../server-events.ts";
import type { MemberStore } from "../store.ts";

const BATCH = 100;
/** Of each kind of record; the export is one message of the bus. */
const MAX_EXPORTED = 1_000;

/** AB12: removes an account's records when the account ends, and exports them before. */
export interface Accounts {
  /** Safe to repeat: removes whatever is still stored. */
  remove(userId: string, ownedServers: OwnedServers): Promise<void>;
  export(userId: string): Promise<Record<string, unknown>>;
}

export interface AccountsDeps extends Ports {
  readonly log: Log;
}

export function createAccounts(deps: AccountsDeps): Accounts {
  const { store, log } = deps;
  return {
    remove: async (userId, ownedServers) => {
      for (;;) {
        const memberships = await store.members.listOf(userId, { after: null, limit: BATCH });
        for (const { server } of memberships) await endMembership(deps, userId, server.id, ownedServers);
        if (memberships.length === 0) break;
      }
      await store.accounts.forget(userId);
      log.info({ userId }, "account removed");
    },

    export: async (userId) => {
      const memberships = await membershipsOf(store.members, userId);
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
        // A refused join tells of the ban and its times. Who made it, and why, stays with the moderators.
        bans: bans.map(({ serverId, createdAt, expiresAt }) => ({ serverId, createdAt, expiresAt })),
      };
    },
  };
}

async function membershipsOf(members: MemberStore, userId: string): Promise<ListedMembership[]> {
  const found: ListedMembership[] = [];
  for (let after: [number, string] | null = null; found.length < MAX_EXPORTED; ) {
    const page: ListedMembership[] = await members.listOf(userId, { after, limit: BATCH });
    found.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < BATCH) break;
    after = [last.member.joinedAt, last.server.id];
  }
  return found;
}

/** Ends one membership. An owner's server is transferred first or, as the owner chose, deleted. */
async function endMembership(
  ports: Ports,
  userId: string,
  serverId: string,
  ownedServers: OwnedServers,
): Promise<void> {
  const { store, newId, endings } = ports;
  const ending = await retryOnConflict(async (): Promise<Ending | "none" | null> => {
    const member = (await store.members.serverAndMember(serverId, userId))?.member;
    if (!member) return "none";
    const transfers = member.role === "owner" && ownedServers === "transfer";
    const successor = transfers ? await successorIn(store.members, serverId) : null;
    if (successor !== null) {
      const moderator = await transfer(ports, member, successor);
      return moderator && leave(ports, moderator);
    }
    if (member.role !== "owner") return leave(ports, member);
    const deletion: Ending = { id: newId(), serverId, userId: null, reason: "deleted" };
    return (await store.servers.remove(member, deletion)) ? deletion : null;
  });
  if (ending !== "none") await endings.announce(ending);
}

/** The moderator who joined first or, without moderators, the member who joined first. */
const successorIn = async (members: MemberStore, serverId: string): Promise<MemberRecord | null> =>
  (await members.longestMember(serverId, "moderator")) ?? (await members.longestMember(serverId, "member"));

/** Ignores the successor's quota: a quota must not delete a server that has members. */
async function transfer(
  ports: Ports,
  owner: MemberRecord,
  successor: MemberRecord,
): Promise<MemberRecord | null> {
  const server = await ports.store.servers.transfer(owner, successor, ports.clock.now(), null);
  if (server === null) return null;
  await announceMember(ports, { ...successor, role: "owner" });
  await announceServer(ports, server);
  return { ...owner, role: "moderator" };
}

async function leave({ store, newId }: Ports, member: MemberRecord): Promise<Ending | null> {
  const { serverId, userId } = member;
  const ending: Ending = { id: newId(), serverId, userId, reason: "left" };
  return (await store.members.remove(member, null, ending)) ? ending : null;
}
