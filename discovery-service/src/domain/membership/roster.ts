import { ProblemError } from "@hearth/contracts";
import type { Member, Role } from "@hearth/contracts";
import { authorised, retryOnConflict, staleWrite } from "../access.ts";
import { decodeCursor, encodeCursor, pageOf, timePosition } from "../cursors.ts";
import type { PageOf, PageRequest } from "../cursors.ts";
import { announceMember, announceServer } from "../server-events.ts";
import { outranks } from "../permissions.ts";
import type { Ports } from "../ports.ts";
import type { Ending, MemberRecord, ServerRecord } from "../records.ts";

export const memberOf = ({ userId, username, displayName, role, joinedAt }: MemberRecord): Member => ({
  userId,
  username,
  displayName,
  role,
  joinedAt,
});

/** Others' membership: roles, removal and ownership (rule DI3). */
export class Roster {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async list(actorId: string, serverId: string, page: PageRequest): Promise<PageOf<Member>> {
    const { members } = this.#ports.store;
    await authorised(members, serverId, actorId, "viewMembers");
    const scope = `members:${serverId}`;
    const after = decodeCursor(scope, timePosition, page.cursor);
    const rows = await members.list(serverId, { after, limit: page.limit + 1 });
    const found = pageOf(rows, page.limit, (last) => encodeCursor(scope, [last.joinedAt, last.userId]));
    return { ...found, items: found.items.map(memberOf) };
  }

  async setRole(
    actorId: string,
    serverId: string,
    userId: string,
    role: Exclude<Role, "owner">,
  ): Promise<Member> {
    const { members } = this.#ports.store;
    const { member: actor } = await authorised(members, serverId, actorId, "setRoles");
    const before = await this.#member(serverId, userId);
    if (before.role === "owner") {
      throw new ProblemError("CONFLICT", "The owner's role changes by transferring the server");
    }
    if (before.role === role) return memberOf(before);
    if (!(await members.setRole(before, role, actor))) throw await staleWrite(members, actor, "setRoles");
    const after = { ...before, role };
    await announceMember(this.#ports, after);
    return memberOf(after);
  }

  async remove(actorId: string, serverId: string, userId: string): Promise<void> {
    const { store, newId, endings } = this.#ports;
    const ending: Ending = { id: newId(), serverId, userId, reason: "removed" };
    await retryOnConflict(async () => {
      const { member: actor } = await authorised(store.members, serverId, actorId, "moderate");
      const target = await this.#member(serverId, userId);
      if (!outranks(actor.role, target.role)) {
        throw new ProblemError("FORBIDDEN", "You may only remove members of a lower role than yours");
      }
      return (await store.members.remove(target, actor, ending)) || null;
    });
    await endings.announce(ending);
  }

  async transfer(actorId: string, serverId: string, userId: string): Promise<ServerRecord> {
    const { store, clock, quotas } = this.#ports;
    const { member: owner } = await authorised(store.members, serverId, actorId, "transfer");
    const heir = (await store.members.serverAndMember(serverId, userId))?.member ?? null;
    if (heir === null) throw new ProblemError("CONFLICT", "The new owner must be a member of the server");
    if (heir.role === "owner") throw new ProblemError("CONFLICT", "You own this server already");
    const server = await store.servers.transfer(owner, heir, clock.now(), quotas);
    if (server === null) throw await staleWrite(store.members, owner, "transfer");
    await announceMember(this.#ports, { ...owner, role: "moderator" });
    await announceMember(this.#ports, { ...heir, role: "owner" });
    await announceServer(this.#ports, server);
    return server;
  }

  async #member(serverId: string, userId: string): Promise<MemberRecord> {
    const member = (await this.#ports.store.members.serverAndMember(serverId, userId))?.member;
    if (!member) throw new ProblemError("NOT_FOUND", "There is no such member");
    return member;
  }
}
