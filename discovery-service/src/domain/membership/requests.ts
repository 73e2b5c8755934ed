import { ProblemError, discoverySubjects } from "@hearth/contracts";
import type { AccessRequest } from "@hearth/contracts";
import { authorised, retryOnConflict, serverNotFound } from "../access.ts";
import { banned, isInForce } from "./bans.ts";
import { decodeCursor, encodeCursor, pageOf, timePosition } from "../cursors.ts";
import type { PageOf, PageRequest } from "../cursors.ts";
import { may } from "../permissions.ts";
import type { Person, Ports } from "../ports.ts";
import type { Decision, MemberRecord } from "../records.ts";
import { announceMember } from "../server-events.ts";
import { joinPoints } from "../trending.ts";

/** DI4: requests to enter a private server, each of which is decided once. */
export interface Requests {
  create(person: Person, serverId: string, message: string | undefined): Promise<AccessRequest>;
  list(actorId: string, serverId: string, page: PageRequest): Promise<PageOf<AccessRequest>>;
  decide(actorId: string, requestId: string, status: Decision["status"]): Promise<AccessRequest>;
}

const conflict = (message: string): ProblemError => new ProblemError("CONFLICT", message);
const notFound = (): ProblemError => new ProblemError("NOT_FOUND", "There is no such request");

export function createRequests(ports: Ports): Requests {
  const { store, clock, newId, announce } = ports;
  const { members, requests } = store;
  return {
    create: async (person, serverId, message) => {
      const { request, recipients } = await retryOnConflict(async () => {
        const now = clock.now();
        await requireMayAsk(ports, person.userId, serverId, now);
        const staff = await members.staff(serverId);
        const created: AccessRequest = {
          id: newId(),
          serverId,
          ...person,
          message: message ?? null,
          status: "pending",
          createdAt: now,
          decidedAt: null,
          decidedBy: null,
        };
        return (await requests.create(created)) ? { request: created, recipients: staff } : null;
      });
      await announce(discoverySubjects.requestUpdated, { request, recipients });
      return request;
    },

    list: async (actorId, serverId, page) => {
      await authorised(members, serverId, actorId, "moderate");
      const scope = `requests:${serverId}`;
      const after = decodeCursor(scope, timePosition, page.cursor);
      const rows = await requests.listPending(serverId, { after, limit: page.limit + 1 });
      return pageOf(rows, page.limit, (last) => encodeCursor(scope, [last.createdAt, last.id]));
    },

    decide: async (actorId, requestId, status) => {
      const { request, added, recipients } = await retryOnConflict(async () => {
        const pending = await requests.find(requestId);
        if (pending === null) throw notFound();
        const actor = await requireDecider(ports, actorId, pending);
        if (pending.status !== "pending") throw conflict("This request is decided already");
        const decision: Decision = { status, decidedBy: actorId, decidedAt: clock.now() };
        if (status === "approved") await requireNotBanned(ports, pending, decision.decidedAt);
        const staff = await members.staff(pending.serverId);
        const result = await requests.decide(pending, decision, actor, joinPoints(1));
        const informed = [...new Set([...staff, pending.userId])];
        return result && { request: { ...pending, ...decision }, added: result.added, recipients: informed };
      });
      if (added) await announceMember(ports, { ...request, role: "member" });
      await announce(discoverySubjects.requestUpdated, { request, recipients });
      return request;
    },
  };
}

async function requireMayAsk({ store }: Ports, userId: string, serverId: string, now: number): Promise<void> {
  const found = await store.members.serverAndMember(serverId, userId);
  if (found === null) throw serverNotFound();
  if (found.member !== null) throw conflict("You are a member of this server");
  const ban = await store.bans.find(serverId, userId);
  if (ban !== null && isInForce(ban, now)) throw banned();
  if (found.server.visibility !== "private") throw conflict("This server is open to everybody: join it");
  if ((await store.requests.findPending(serverId, userId)) !== null) {
    throw conflict("Your earlier request is not decided yet");
  }
}

/** To users who are not members, the request does not exist. */
async function requireDecider(
  { store }: Ports,
  actorId: string,
  { serverId }: AccessRequest,
): Promise<MemberRecord> {
  const member = (await store.members.serverAndMember(serverId, actorId))?.member;
  if (!member) throw notFound();
  if (may(member.role, "moderate")) return member;
  throw new ProblemError("FORBIDDEN", "Only the owner and moderators decide requests");
}

async function requireNotBanned(
  { store }: Ports,
  { serverId, userId }: AccessRequest,
  now: number,
): Promise<void> {
  const ban = await store.bans.find(serverId, userId);
  if (ban !== null && isInForce(ban, now)) throw conflict("The user is banned: lift the ban first");
}
