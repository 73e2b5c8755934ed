import { ProblemError, memberSchema } from "@hearth/contracts";
import type { Member, Role } from "@hearth/contracts";
import { pickFields } from "@hearth/runtime";
import { authorised, retryOnConflict, staleWrite } from "../access.ts";
import { decodeCursor, encodeCursor, pageOf, timePosition } from "../cursors.ts";
import type { PageOf, PageRequest } from "../cursors.ts";
import { outranks } from "../permissions.ts";
import type { Ports } from "../ports.ts";
import type { Ending, MemberRecord, ServerRecord } from "../records.ts";
import { announceMember, announceServer } from "../server-events.ts";
import type { MemberStore } from "../store.ts";

/** Other users' memberships: roles, removal and ownership (rule DI3). */
export interface Roster {
  list(actorId: string, serverId: string, page: PageRequest): Promise<PageOf<Member>>;
  setRole(actorId: string, serverId: string, userId: string, role: Exclude<Role, "owner">): Promise<Member>;
  remove(actorId: string, serverId: string, userId: string): Promise<void>;
  transfer(actorId: string, serverId: string, userId: string): Promise<ServerRecord>;
}

const memberOf = (record: MemberRecord): Member => pickFields(memberSchema, record);

export function createRoster(ports: Ports): Roster {
  const { store, clock, newId, endings, quotas } = ports;
  const { members } = store;

  return {
    list: async (actorId, serverId, page) => {
      await authorised(members, serverId, actorId, "viewMembers");
      const scope = `members:${serverId}`;
      const after = decodeCursor(scope, timePosition, page.cursor);
      const rows = await members.list(serverId, { after, limit: page.limit + 1 });
      const found = pageOf(rows, page.limit, (last) => encodeCursor(scope, [last.joinedAt, last.userId]));
      return { ...found, items: found.items.map(memberOf) };
    },

    setRole: async (actorId, serverId, userId, role) => {
      const { member: actor } = await authorised(members, serverId, actorId, "setRoles");
      const before = await requireMember(members, serverId, userId);
      if (before.role === "owner") {
        throw new ProblemError("CONFLICT", "The owner's role changes by transferring the server");
      }
      if (before.role === role) return memberOf(before);
      if (!(await members.setRole(before, role, actor))) throw await staleWrite(members, actor, "setRoles");
      const after = { ...before, role };
      await announceMember(ports, after);
      return memberOf(after);
    },

    remove: async (actorId, serverId, userId) => {
      const ending: Ending = { id: newId(), serverId, userId, reason: "removed" };
      await retryOnConflict(async () => {
        const { member: actor } = await authorised(members, serverId, actorId, "moderate");
        const target = await requireMember(members, serverId, userId);
        if (!outranks(actor.role, target.role)) {
          throw new ProblemError("FORBIDDEN", "You may only remove members of a lower role than yours");
        }
        return (await members.remove(target, actor, ending)) || null;
      });
      await endings.announce(ending);
    },

    transfer: async (actorId, serverId, userId) => {
      const { member: owner } = await authorised(members, serverId, actorId, "transfer");
      const successor = (await members.serverAndMember(serverId, userId))?.member ?? null;
      if (successor === null)
        throw new ProblemError("CONFLICT", "The new owner must be a member of the server");
      if (successor.role === "owner") throw new ProblemError("CONFLICT", "You own this server already");
      const server = await store.servers.transfer(owner, successor, clock.now(), quotas);
      if (server === null) throw await staleWrite(members, owner, "transfer");
      await announceMember(ports, { ...owner, role: "moderator" });
      await announceMember(ports, { ...successor, role: "owner" });
      await announceServer(ports, server);
      return server;
    },
  };
}

async function requireMember(members: MemberStore, serverId: string, userId: string): Promise<MemberRecord> {
  const member = (await members.serverAndMember(serverId, userId))?.member;
  if (!member) throw new ProblemError("NOT_FOUND", "There is no such member");
  return member;
}
