import { ProblemError, discoverySubjects } from "@hearth/contracts";
import type { AccessRequest } from "@hearth/contracts";
import { authorised, serverNotFound, retryOnConflict } from "../access.ts";
import { banned, inForce } from "./bans.ts";
import { decodeCursor, encodeCursor, pageOf, timePosition } from "../cursors.ts";
import type { PageOf, PageRequest } from "../cursors.ts";
import { announceMember } from "../server-events.ts";
import { may } from "../permissions.ts";
import type { Person, Ports } from "../ports.ts";
import type { Decision, MemberRecord } from "../records.ts";
import { joinPoints } from "../trending.ts";

const conflict = (message: string): ProblemError => new ProblemError("CONFLICT", message);
const notFound = (): ProblemError => new ProblemError("NOT_FOUND", "There is no such request");

/** DI4: asking to enter a private server, and the answer, which is given once. */
export class Requests {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async ask(person: Person, serverId: string, message: string | undefined): Promise<AccessRequest> {
    const { store, clock, newId, announce } = this.#ports;
    const { request, recipients } = await retryOnConflict(async () => {
      const now = clock.now();
      await this.#refuse(person.userId, serverId, now);
      const staff = await store.members.staff(serverId);
      const asked: AccessRequest = {
        id: newId(),
        serverId,
        ...person,
        message: message ?? null,
        status: "pending",
        createdAt: now,
        decidedAt: null,
        decidedBy: null,
      };
      return (await store.requests.create(asked)) ? { request: asked, recipients: staff } : null;
    });
    await announce(discoverySubjects.requestUpdated, { request, recipients });
    return request;
  }

  async list(actorId: string, serverId: string, page: PageRequest): Promise<PageOf<AccessRequest>> {
    const { store } = this.#ports;
    await authorised(store.members, serverId, actorId, "moderate");
    const scope = `requests:${serverId}`;
    const after = decodeCursor(scope, timePosition, page.cursor);
    const rows = await store.requests.listPending(serverId, { after, limit: page.limit + 1 });
    return pageOf(rows, page.limit, (last) => encodeCursor(scope, [last.createdAt, last.id]));
  }

  async decide(actorId: string, requestId: string, status: Decision["status"]): Promise<AccessRequest> {
    const { store, clock, announce } = this.#ports;
    const { request, added, recipients } = await retryOnConflict(async () => {
      const pending = await store.requests.find(requestId);
      if (pending === null) throw notFound();
      const actor = await this.#decider(actorId, pending);
      if (pending.status !== "pending") throw conflict("This request is decided already");
      const decision: Decision = { status, decidedBy: actorId, decidedAt: clock.now() };
      if (status === "approved") await this.#refuseBanned(pending, decision.decidedAt);
      const staff = await store.members.staff(pending.serverId);
      const result = await store.requests.decide(pending, decision, actor, joinPoints(1));
      const known = [...new Set([...staff, pending.userId])];
      return result && { request: { ...pending, ...decision }, added: result.added, recipients: known };
    });
    if (added) await announceMember(this.#ports, { ...request, role: "member" });
    await announce(discoverySubjects.requestUpdated, { request, recipients });
    return request;
  }

  async #refuse(userId: string, serverId: string, now: number): Promise<void> {
    const { store } = this.#ports;
    const standing = await store.members.serverAndMember(serverId, userId);
    if (standing === null) throw serverNotFound();
    if (standing.member !== null) throw conflict("You are a member of this server");
    const ban = await store.bans.find(serverId, userId);
    if (ban !== null && inForce(ban, now)) throw banned();
    if (standing.server.visibility !== "private") throw conflict("This server is open to everybody: join it");
    if ((await store.requests.findPending(serverId, userId)) !== null) {
      throw conflict("Your earlier request is not decided yet");
    }
  }

  /** To whoever is no member, the request does not exist. */
  async #decider(actorId: string, { serverId }: AccessRequest): Promise<MemberRecord> {
    const standing = await this.#ports.store.members.serverAndMember(serverId, actorId);
    if (!standing?.member) throw notFound();
    if (may(standing.member.role, "moderate")) return standing.member;
    throw new ProblemError("FORBIDDEN", "Only the owner and moderators decide requests");
  }

  async #refuseBanned({ serverId, userId }: AccessRequest, now: number): Promise<void> {
    const ban = await this.#ports.store.bans.find(serverId, userId);
    if (ban !== null && inForce(ban, now)) throw conflict("The user is banned: lift the ban first");
  }
}
