import { serverRoutes } from "@hearth/contracts";
import type { JoinedServerSummary } from "@hearth/contracts";
import { createBackoff } from "../connection/backoff.ts";
import { ClientProblem } from "@hearth/device";
import type { ClientProblemCode } from "@hearth/device";
import type { Connection } from "../connection/connection.ts";
import { membershipIn } from "./membership.ts";
import type { Membership } from "./membership.ts";
import type { ServerLost, JoinState } from "./servers.ts";
import { isHome, mayClaim, onlineConnection } from "./servers-deps.ts";
import type { ServersDeps } from "./servers-deps.ts";
import { updatedRecord } from "./server-record.ts";
import type { ServerVersions } from "./server-versions.ts";
import type { RecordChange, SavedServers } from "./saved-servers.ts";

const PAGE = 100;
const MAX_PAGES = 100;
/** How many servers are joined or checked at the same time. */
const AT_ONCE = 8;

interface RejoiningDeps extends ServersDeps {
  readonly saved: SavedServers;
  readonly versions: ServerVersions;
  readonly removeLost: (roomId: string, reason: ServerLost["reason"]) => Promise<void>;
}

/** One period online at one instance. It ends with the connection, or when the next run starts. */
interface Run {
  readonly url: string;
  readonly connection: Connection;
  readonly isOver: () => boolean;
  /**
   * Servers missing from home's list. They are not joined, which could make us a member, before home was asked about
   * each.
   */
  readonly unconfirmed: Set<string>;
}

const JOIN_STATES: Partial<Record<ClientProblemCode, JoinState>> = {
  BANNED: "banned",
  NOT_FOUND: "gone",
  // An instance that rejects the id has no such server.
  INVALID_REQUEST: "gone",
  ACCESS_DENIED: "needs-invite",
  FORBIDDEN: "needs-invite",
  NEEDS_SIGN_IN: "needs-sign-in",
  AUTH_INVALID: "needs-sign-in",
  AUTH_REQUIRED: "needs-sign-in",
};

/** The state after a refusal that lasts until somebody acts; `null` for a failure that may pass. */
const joinStateAfter = ({ code }: ClientProblem): JoinState | null => JOIN_STATES[code] ?? null;

async function forEachConcurrently(
  roomIds: Iterable<string>,
  work: (roomId: string) => Promise<void>,
): Promise<void> {
  const waiting = [...roomIds];
  const next = async (): Promise<void> => {
    for (let roomId = waiting.shift(); roomId !== undefined; roomId = waiting.shift()) await work(roomId);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

/** Reconciles the memberships with the instance each time it is online, then joins every server (rule WS8). */
export class Rejoining {
  private readonly deps: RejoiningDeps;
  private readonly runs = new Map<string, number>();
  /** A logical time of the last known membership. An answer that was requested before it proves nothing. */
  private readonly membershipNotedAt = new Map<string, number>();
  private clock = 0;
  /**
   * Servers on foreign instances that were ours since the start, or that we tried to join. They are never joined
   * silently again.
   */
  private readonly attempted = new Set<string>();

  constructor(deps: RejoiningDeps) {
    this.deps = deps;
  }

  /** The account has just become a member. */
  noteMembership(roomId: string): void {
    this.membershipNotedAt.set(roomId, (this.clock += 1));
    this.attempted.add(roomId);
  }

  /** Another account signed in. */
  forgetAttempts(): void {
    this.attempted.clear();
    this.membershipNotedAt.clear();
  }

  async rejoinAll(url: string): Promise<void> {
    const connection = onlineConnection(this.deps.connections, url);
    if (!connection) return;
    const number = (this.runs.get(url) ?? 0) + 1;
    this.runs.set(url, number);
    const isOver = (): boolean =>
      this.runs.get(url) !== number || onlineConnection(this.deps.connections, url) !== connection;
    const run = { url, connection, isOver, unconfirmed: new Set<string>() };
    for (const { room, joinState } of this.deps.saved.ofInstance(url))
      if (joinState === "unknown" || joinState === "offline" || joinState === "needs-sign-in")
        this.deps.saved.patch(room.id, { joinState: "joining" });
    const isRefused = (problem: ClientProblem): boolean => joinStateAfter(problem) === "needs-sign-in";
    await this.retryUntilDone(run, isRefused, () => this.reconcile(run));
    await Promise.all([this.joinRooms(run), this.confirmAll(run)]);
  }

  cancel(url: string): void {
    this.runs.set(url, (this.runs.get(url) ?? 0) + 1);
  }

  /** Joins a server that we are a member of. */
  async join(url: string, roomId: string): Promise<void> {
    const connection = onlineConnection(this.deps.connections, url);
    if (!connection) return;
    const isOver = (): boolean => onlineConnection(this.deps.connections, url) !== connection;
    await this.joinRoom({ url, connection, isOver, unconfirmed: new Set() }, roomId);
  }

  /** Retries while the run lasts, unless the problem is final. */
  private async retryUntilDone(
    run: Run,
    isFinal: (problem: ClientProblem) => boolean,
    work: () => Promise<void>,
  ): Promise<ClientProblem | null> {
    const backoff = createBackoff(this.deps.platform.random);
    while (!run.isOver()) {
      try {
        await work();
        return null;
      } catch (error) {
        if (!(error instanceof ClientProblem)) throw error;
        if (isFinal(error)) return error;
        await this.delay(Math.max(backoff.next(), error.retryAfterMs ?? 0));
      }
    }
    return null;
  }

  private delay(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.deps.platform.later(milliseconds, resolve));
  }

  private async reconcile(run: Run): Promise<void> {
    const { saved, versions, accounts } = this.deps;
    const { url } = run;
    const askedAt = this.clock;
    // A server that another device adds meanwhile may be newer than the answer.
    const askedAbout = new Set(saved.ofInstance(url).map(({ room }) => room.id));
    const mine = await this.listMemberships(url);
    const actorUserId = accounts.actorId(url);
    if (run.isOver() || actorUserId === null) return;
    const owner = { signalServerUrl: url, actorUserId };
    const changes = new Map<string, RecordChange>();
    for (const server of mine) {
      if (!mayClaim(this.deps, saved, url, server.id)) continue;
      this.attempted.add(server.id);
      // Whatever refused us before, we are a member now.
      if (saved.get(server.id)?.joinState !== "joined") saved.patch(server.id, { joinState: "joining" });
      if (versions.note(url, server)) changes.set(server.id, (known) => updatedRecord(known, server, owner));
    }
    await saved.change(changes);
    const ours = new Set(mine.map(({ id }) => id));
    run.unconfirmed.clear();
    const missing = saved
      .ofInstance(url)
      .map(({ room }) => room.id)
      .filter((id) => askedAbout.has(id) && !ours.has(id));
    for (const roomId of missing)
      if ((this.membershipNotedAt.get(roomId) ?? 0) <= askedAt) await this.handleMissing(run, roomId);
  }

  private async listMemberships(url: string): Promise<readonly JoinedServerSummary[]> {
    const all: JoinedServerSummary[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { items, nextCursor } = await this.deps.rest.call(url, serverRoutes.mine, {
        query: { limit: PAGE, cursor },
      });
      all.push(...items);
      if (nextCursor === null) return all;
      cursor = nextCursor;
    }
    throw new ClientProblem("BAD_ANSWER");
  }

  /** The instance does not list a server that we saved. */
  private async handleMissing(run: Run, roomId: string): Promise<void> {
    const { saved } = this.deps;
    if (isHome(this.deps, run.url)) return void run.unconfirmed.add(roomId);
    if (this.attempted.has(roomId)) {
      if (saved.get(roomId)?.joinState === "joining") saved.patch(roomId, { joinState: "needs-invite" });
      return;
    }
    try {
      await this.joinForeign(run.url, roomId);
      this.attempted.add(roomId);
    } catch (error) {
      const joinState = error instanceof ClientProblem ? joinStateAfter(error) : null;
      if (joinState === null) throw error;
      if (joinState !== "needs-sign-in") this.attempted.add(roomId);
      saved.patch(roomId, { joinState });
    }
  }

  private async joinForeign(url: string, roomId: string): Promise<void> {
    const { accounts, rest, saved, versions } = this.deps;
    const { userId } = await accounts.ensureAccount(url);
    const server = await rest.call(url, serverRoutes.join, { params: { id: roomId }, body: {} });
    if (server.id !== roomId) throw new ClientProblem("BAD_ANSWER");
    versions.note(url, server);
    const owner = { signalServerUrl: url, actorUserId: userId };
    await saved.change(new Map([[roomId, (known) => known && updatedRecord(known, server, owner)]]));
  }

  private async joinRooms(run: Run): Promise<void> {
    const waiting = this.deps.saved
      .ofInstance(run.url)
      .filter(({ joinState }) => joinState === "joining" || joinState === "unknown")
      .map(({ room }) => room.id)
      .filter((roomId) => !run.unconfirmed.has(roomId));
    for (const roomId of waiting) this.deps.saved.patch(roomId, { joinState: "joining" });
    await forEachConcurrently(waiting, (roomId) => this.joinRoom(run, roomId));
  }

  private async confirmAll(run: Run): Promise<void> {
    if (!run.isOver())
      await forEachConcurrently(run.unconfirmed, (roomId) => this.confirmMembership(run, roomId));
  }

  /**
   * A list without the server may be faulty, or older than the membership after a backup was restored. A server with
   * its history is removed only on a definite answer about this very server.
   */
  private async confirmMembership(run: Run, roomId: string): Promise<void> {
    const { removeLost, rest, saved } = this.deps;
    const askedAt = this.clock;
    const answer: { membership?: Membership } = {};
    const isFinal = (problem: ClientProblem): boolean => joinStateAfter(problem) !== null;
    const problem = await this.retryUntilDone(run, isFinal, async () => {
      answer.membership = await membershipIn(rest, run.url, roomId);
    });
    if (run.isOver() || (this.membershipNotedAt.get(roomId) ?? 0) > askedAt) return;
    const { membership } = answer;
    if (membership === "no-member") return removeLost(roomId, "removed");
    if (membership === "member") return this.joinRoom(run, roomId);
    saved.patch(roomId, { joinState: (problem && joinStateAfter(problem)) ?? "gone" });
  }

  /** `server_joined` reports success, in order with the other events of the server. */
  private async joinRoom(run: Run, roomId: string): Promise<void> {
    const { saved } = this.deps;
    saved.patch(roomId, { joinState: "joining" });
    const isFinal = (problem: ClientProblem): boolean => joinStateAfter(problem) !== null;
    const problem = await this.retryUntilDone(run, isFinal, async () => {
      if (saved.get(roomId)) await run.connection.request({ type: "join_server", serverId: roomId });
    });
    const joinState = problem && joinStateAfter(problem);
    if (joinState && !run.isOver()) saved.patch(roomId, { joinState });
  }
}
