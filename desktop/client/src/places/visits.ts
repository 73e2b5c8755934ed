import { serverRoutes } from "@hearth/contracts";
import type { JoinedServerSummary } from "@hearth/contracts";
import { createBackoff } from "../connection/backoff.ts";
import { ClientProblem } from "@hearth/device";
import type { ClientProblemCode } from "@hearth/device";
import type { Connection } from "../connection/connection.ts";
import { membershipIn } from "./membership.ts";
import type { Membership } from "./membership.ts";
import type { PlaceLost, RoomStanding } from "./places.ts";
import { isHome, mayClaim, onlineConnection } from "./places-deps.ts";
import type { PlacesDeps } from "./places-deps.ts";
import { roomAfter } from "./room-record.ts";
import type { RoomVersions } from "./room-versions.ts";
import type { RoomChange, SavedRooms } from "./saved-rooms.ts";

const PAGE = 100;
const MAX_PAGES = 100;
/** Rooms that are entered or asked about at the same time. */
const AT_ONCE = 8;

interface VisitsDeps extends PlacesDeps {
  readonly saved: SavedRooms;
  readonly versions: RoomVersions;
  readonly lose: (roomId: string, reason: PlaceLost["reason"]) => Promise<void>;
}

/** One stay online at one server, until it ends or another one takes its place. */
interface Visit {
  readonly url: string;
  readonly connection: Connection;
  readonly isOver: () => boolean;
  /** Rooms that home's list lacks: not entered, which could make us a member, before home was asked about each. */
  readonly doubted: Set<string>;
}

const STANDINGS: Partial<Record<ClientProblemCode, RoomStanding>> = {
  BANNED: "banned",
  NOT_FOUND: "gone",
  // A server that calls the id none has no such room.
  INVALID_REQUEST: "gone",
  ACCESS_DENIED: "needs-invite",
  FORBIDDEN: "needs-invite",
  NEEDS_SIGN_IN: "needs-sign-in",
  AUTH_INVALID: "needs-sign-in",
  AUTH_REQUIRED: "needs-sign-in",
};

/** A refusal that stands until somebody does something about it; `null` for trouble that passes. */
const standingAfter = ({ code }: ClientProblem): RoomStanding | null => STANDINGS[code] ?? null;

async function severalAtOnce(
  roomIds: Iterable<string>,
  work: (roomId: string) => Promise<void>,
): Promise<void> {
  const waiting = [...roomIds];
  const next = async (): Promise<void> => {
    for (let roomId = waiting.shift(); roomId !== undefined; roomId = waiting.shift()) await work(roomId);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

/** What is done at a server each time that it is online: what we belong to, then into every room (rule WS8). */
export class Visits {
  private readonly deps: VisitsDeps;
  private readonly rounds = new Map<string, number>();
  /** When a membership was last told, as a count; an answer that was asked for before it says nothing about it. */
  private readonly begun = new Map<string, number>();
  private clock = 0;
  /** Rooms elsewhere that were ours since the start, or that we tried to join: never joined silently again. */
  private readonly tried = new Set<string>();

  constructor(deps: VisitsDeps) {
    this.deps = deps;
  }

  /** The account became a member just now. */
  noteMembership(roomId: string): void {
    this.begun.set(roomId, (this.clock += 1));
    this.tried.add(roomId);
  }

  /** Other people are here now than those who were. */
  forgetTries(): void {
    this.tried.clear();
    this.begun.clear();
  }

  async begin(url: string): Promise<void> {
    const connection = onlineConnection(this.deps.connections, url);
    if (!connection) return;
    const round = (this.rounds.get(url) ?? 0) + 1;
    this.rounds.set(url, round);
    const isOver = (): boolean =>
      this.rounds.get(url) !== round || onlineConnection(this.deps.connections, url) !== connection;
    const visit = { url, connection, isOver, doubted: new Set<string>() };
    for (const { room, standing } of this.deps.saved.placesAt(url))
      if (standing === "unknown" || standing === "offline" || standing === "needs-sign-in")
        this.deps.saved.patch(room.id, { standing: "joining" });
    const isRefused = (problem: ClientProblem): boolean => standingAfter(problem) === "needs-sign-in";
    await this.untilDone(visit, isRefused, () => this.reconcile(visit));
    await Promise.all([this.enterAll(visit), this.settleDoubts(visit)]);
  }

  end(url: string): void {
    this.rounds.set(url, (this.rounds.get(url) ?? 0) + 1);
  }

  /** Enters the room of a server of chat to which we belong. */
  async enter(url: string, roomId: string): Promise<void> {
    const connection = onlineConnection(this.deps.connections, url);
    if (!connection) return;
    const isOver = (): boolean => onlineConnection(this.deps.connections, url) !== connection;
    await this.enterRoom({ url, connection, isOver, doubted: new Set() }, roomId);
  }

  /** Tries again for as long as the visit lasts, where trouble may pass. */
  private async untilDone(
    visit: Visit,
    isFinal: (problem: ClientProblem) => boolean,
    work: () => Promise<void>,
  ): Promise<ClientProblem | null> {
    const backoff = createBackoff(this.deps.platform.random);
    while (!visit.isOver()) {
      try {
        await work();
        return null;
      } catch (error) {
        if (!(error instanceof ClientProblem)) throw error;
        if (isFinal(error)) return error;
        await this.wait(Math.max(backoff.next(), error.retryAfterMs ?? 0));
      }
    }
    return null;
  }

  private wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.deps.platform.later(milliseconds, resolve));
  }

  private async reconcile(visit: Visit): Promise<void> {
    const { saved, versions, accounts } = this.deps;
    const { url } = visit;
    const askedAt = this.clock;
    // A room that a sibling tells of meanwhile may be newer than the answer.
    const askedAbout = new Set(saved.placesAt(url).map(({ room }) => room.id));
    const mine = await this.allMine(url);
    const actorUserId = accounts.actorId(url);
    if (visit.isOver() || actorUserId === null) return;
    const owner = { signalServerUrl: url, actorUserId };
    const changes = new Map<string, RoomChange>();
    for (const server of mine) {
      if (!mayClaim(this.deps, saved, url, server.id)) continue;
      this.tried.add(server.id);
      // Whatever kept us out before, we belong to it now.
      if (saved.place(server.id)?.standing !== "joined") saved.patch(server.id, { standing: "joining" });
      if (versions.note(url, server)) changes.set(server.id, (known) => roomAfter(known, server, owner));
    }
    await saved.change(changes);
    const ours = new Set(mine.map(({ id }) => id));
    visit.doubted.clear();
    const missing = saved
      .placesAt(url)
      .map(({ room }) => room.id)
      .filter((id) => askedAbout.has(id) && !ours.has(id));
    for (const roomId of missing)
      if ((this.begun.get(roomId) ?? 0) <= askedAt) await this.miss(visit, roomId);
  }

  private async allMine(url: string): Promise<readonly JoinedServerSummary[]> {
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

  /** The server does not count us among the members of a room that we saved. */
  private async miss(visit: Visit, roomId: string): Promise<void> {
    const { saved } = this.deps;
    if (isHome(this.deps, visit.url)) return void visit.doubted.add(roomId);
    if (this.tried.has(roomId)) {
      if (saved.place(roomId)?.standing === "joining") saved.patch(roomId, { standing: "needs-invite" });
      return;
    }
    try {
      await this.joinElsewhere(visit.url, roomId);
      this.tried.add(roomId);
    } catch (error) {
      const standing = error instanceof ClientProblem ? standingAfter(error) : null;
      if (standing === null) throw error;
      if (standing !== "needs-sign-in") this.tried.add(roomId);
      saved.patch(roomId, { standing });
    }
  }

  private async joinElsewhere(url: string, roomId: string): Promise<void> {
    const { accounts, rest, saved, versions } = this.deps;
    const { userId } = await accounts.ensureAccount(url);
    const server = await rest.call(url, serverRoutes.join, { params: { id: roomId }, body: {} });
    if (server.id !== roomId) throw new ClientProblem("BAD_ANSWER");
    versions.note(url, server);
    const owner = { signalServerUrl: url, actorUserId: userId };
    await saved.change(new Map([[roomId, (known) => known && roomAfter(known, server, owner)]]));
  }

  private async enterAll(visit: Visit): Promise<void> {
    const waiting = this.deps.saved
      .placesAt(visit.url)
      .filter(({ standing }) => standing === "joining" || standing === "unknown")
      .map(({ room }) => room.id)
      .filter((roomId) => !visit.doubted.has(roomId));
    for (const roomId of waiting) this.deps.saved.patch(roomId, { standing: "joining" });
    await severalAtOnce(waiting, (roomId) => this.enterRoom(visit, roomId));
  }

  private async settleDoubts(visit: Visit): Promise<void> {
    if (!visit.isOver()) await severalAtOnce(visit.doubted, (roomId) => this.settleDoubt(visit, roomId));
  }

  /**
   * A list that lacks a room may be faulty, or older than the membership after a backup was restored; a room with its
   * history is forgotten only on a plain word about this very room.
   */
  private async settleDoubt(visit: Visit, roomId: string): Promise<void> {
    const { lose, rest, saved } = this.deps;
    const askedAt = this.clock;
    const told: { membership?: Membership } = {};
    const isFinal = (problem: ClientProblem): boolean => standingAfter(problem) !== null;
    const problem = await this.untilDone(visit, isFinal, async () => {
      told.membership = await membershipIn(rest, visit.url, roomId);
    });
    if (visit.isOver() || (this.begun.get(roomId) ?? 0) > askedAt) return;
    const { membership } = told;
    if (membership === "no-member") return lose(roomId, "removed");
    if (membership === "member") return this.enterRoom(visit, roomId);
    saved.patch(roomId, { standing: (problem && standingAfter(problem)) ?? "gone" });
  }

  /** What follows from its success is told by `server_joined`, in its place among the other news of the room. */
  private async enterRoom(visit: Visit, roomId: string): Promise<void> {
    const { saved } = this.deps;
    saved.patch(roomId, { standing: "joining" });
    const isFinal = (problem: ClientProblem): boolean => standingAfter(problem) !== null;
    const problem = await this.untilDone(visit, isFinal, async () => {
      if (saved.place(roomId)) await visit.connection.request({ type: "join_server", serverId: roomId });
    });
    const standing = problem && standingAfter(problem);
    if (standing && !visit.isOver()) saved.patch(roomId, { standing });
  }
}
