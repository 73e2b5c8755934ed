import type { UserStatus } from "@hearth/contracts";
import { createStore } from "zustand/vanilla";
import type { AccountsState } from "../accounts/accounts.ts";
import type { Incoming } from "../connection/connection.ts";
import { ClientProblem } from "@hearth/device";
import { PlaceChanges } from "./place-changes.ts";
import type { PlaceLost, Places, RoomStanding } from "./places.ts";
import { onlineConnection } from "./places-deps.ts";
import type { PlacesDeps } from "./places-deps.ts";
import { presentAfter, presentOf } from "./presence.ts";
import { RoomNews } from "./room-news.ts";
import { RoomPeople } from "./room-people.ts";
import { createRoomVersions } from "./room-versions.ts";
import { SavedRooms } from "./saved-rooms.ts";
import { Visits } from "./visits.ts";

/** Places as their owner has them. */
export interface OwnedPlaces extends Places {
  /** Shows what is stored, then follows the connections. */
  start(): Promise<void>;
  stop(): void;
  /** Another device's word about saved rooms was stored. */
  refresh(): Promise<void>;
}

/** Stays as it is while its server is away. */
const LASTING: ReadonlySet<RoomStanding> = new Set(["needs-invite", "banned", "gone"]);
const GATHER_MS = 250;
const NOBODY = presentOf([]);

/** What cannot be stored or asked now is found out again at the next time online. */
const passing = (error: unknown): void => {
  if (!(error instanceof ClientProblem)) throw error;
};

/** Who is signed in. */
const personOf = ({ phase, homeUrl, servers }: AccountsState): string =>
  [phase, homeUrl, servers.find(({ url }) => url === homeUrl)?.account?.userId].join(" ");

/** The signaling servers on the list. */
const listOf = ({ servers }: AccountsState): string => servers.map(({ url }) => url).join(" ");

class AccountPlaces implements OwnedPlaces {
  readonly state;
  readonly status = createStore<UserStatus>(() => "online");
  private readonly deps: PlacesDeps;
  private readonly saved: SavedRooms;
  private readonly changes: PlaceChanges;
  private readonly visits: Visits;
  private readonly news: RoomNews;
  private readonly people: RoomPeople;
  private readonly lostListeners = new Set<(lost: PlaceLost) => void>();
  private readonly unsubscribe: (() => void)[] = [];
  private readonly asked = new Set<string>();
  private readonly toVisit = new Set<string>();
  private cancelVisits: (() => void) | null = null;

  constructor(deps: PlacesDeps) {
    this.deps = deps;
    const { accounts, store } = deps;
    // What is stored of a server that was taken off the list waits for its coming back.
    this.saved = new SavedRooms(store, ({ signalServerUrl }) => !accounts.isForgotten(signalServerUrl));
    this.state = this.saved.state;
    const lose = (roomId: string, reason: PlaceLost["reason"]): Promise<void> => this.lose(roomId, reason);
    const shared = { ...deps, saved: this.saved, versions: createRoomVersions(), lose };
    this.visits = new Visits(shared);
    this.news = new RoomNews(shared);
    this.people = new RoomPeople(shared);
    this.changes = new PlaceChanges({ ...shared, visits: this.visits });
  }

  async start(): Promise<void> {
    const { accounts, connections } = this.deps;
    try {
      await this.saved.load();
    } finally {
      this.unsubscribe.push(
        accounts.state.subscribe((now, before) => this.followAccounts(now, before)),
        connections.states.subscribe(() => this.followConnections()),
        connections.on((url, message) => this.hear(url, message)),
        connections.onOnline((url) => this.arrive(url)),
      );
      this.followConnections();
    }
  }

  stop(): void {
    this.unsubscribe.splice(0).forEach((end) => end());
    this.people.stop();
    this.cancelVisits?.();
    this.cancelVisits = null;
    for (const { room } of this.state.getState().places.values()) this.visits.end(room.signalServerUrl);
  }

  async refresh(): Promise<void> {
    const added = await this.saved.load();
    this.followConnections();
    if (added.length === 0) return;
    for (const { signalServerUrl } of added) this.toVisit.add(signalServerUrl);
    // A snapshot brings rooms one by one; their servers are asked once.
    this.cancelVisits ??= this.deps.platform.later(GATHER_MS, () => {
      this.cancelVisits = null;
      for (const url of this.toVisit) {
        if (onlineConnection(this.deps.connections, url)) this.visit(url);
        else void this.introduce(url).catch(passing);
      }
      this.toVisit.clear();
    });
  }

  onLost(listener: (lost: PlaceLost) => void): () => void {
    this.lostListeners.add(listener);
    return () => void this.lostListeners.delete(listener);
  }

  create(...asked: Parameters<Places["create"]>): ReturnType<Places["create"]> {
    return this.changes.create(...asked);
  }

  join(...asked: Parameters<Places["join"]>): ReturnType<Places["join"]> {
    return this.changes.join(...asked);
  }

  leave(roomId: string): Promise<void> {
    return this.changes.leave(roomId);
  }

  update(...asked: Parameters<Places["update"]>): Promise<void> {
    return this.changes.update(...asked);
  }

  remove(roomId: string): Promise<void> {
    return this.changes.remove(roomId);
  }

  mute(roomId: string, muted: boolean): Promise<void> {
    return this.changes.mute(roomId, muted);
  }

  keepMembers(...told: Parameters<Places["keepMembers"]>): Promise<void> {
    return this.people.keepMembers(...told);
  }

  keepBans(...told: Parameters<Places["keepBans"]>): Promise<void> {
    return this.people.keepBans(...told);
  }

  setStatus(status: UserStatus): void {
    const { accounts, connections } = this.deps;
    this.status.setState(status, true);
    for (const url of connections.states.getState().keys())
      connections.of(url)?.cast({ type: "status_update", status });
    for (const { room, present } of this.state.getState().places.values()) {
      const fromUserId = accounts.actorId(room.signalServerUrl) ?? room.actorUserId;
      const stamp = { fromUserId, fromUsername: "", fromDisplayName: "", sentAt: 0 };
      const news = { type: "status_update", status, ...stamp } as const;
      this.saved.patch(room.id, { present: presentAfter(present, news) });
    }
  }

  private hear(url: string, message: Incoming): void {
    void this.news.take(url, message).catch(passing);
    this.people.take(url, message);
    if (message.type !== "access_request" || message.request.status !== "approved") return;
    // We were let in, unless it was somebody else.
    if (message.request.userId === this.deps.accounts.actorId(url)) this.visit(url);
  }

  private arrive(url: string): void {
    // A server forgets the status with the last connection.
    const status = this.status.getState();
    if (status !== "online") this.deps.connections.of(url)?.cast({ type: "status_update", status });
    this.visit(url);
  }

  private visit(url: string): void {
    void this.look(url).catch(passing);
  }

  private async look(url: string): Promise<void> {
    // Storage that failed at the start may be there now.
    if (this.state.getState().phase === "loading") await this.saved.load();
    await this.visits.begin(url);
  }

  /** Rooms that a sibling told, on a server that this device has never met: the account there, once, unseen. */
  private async introduce(url: string): Promise<void> {
    const { accounts } = this.deps;
    const isKnown = accounts.state.getState().servers.some((server) => server.url === url);
    if (isKnown || this.asked.has(url)) return;
    this.asked.add(url);
    try {
      await accounts.ensureAccount(url);
    } catch (error) {
      if (error instanceof ClientProblem && error.retryable) this.asked.delete(url);
      throw error;
    }
  }

  private followAccounts(now: AccountsState, before: AccountsState): void {
    this.followConnections();
    if (now.phase !== "signed-in") return;
    const isOther = personOf(now) !== personOf(before);
    if (isOther) {
      this.visits.forgetTries();
      this.asked.clear();
    }
    if (isOther || listOf(now) !== listOf(before)) void this.refresh().catch(passing);
  }

  /** Rooms of servers that are not online. */
  private followConnections(): void {
    const { connections } = this.deps;
    for (const { room, standing } of this.state.getState().places.values()) {
      const { signalServerUrl: url, id } = room;
      if (onlineConnection(connections, url)) continue;
      this.saved.patch(id, {
        standing: LASTING.has(standing) ? standing : this.awayStanding(url),
        present: NOBODY,
      });
    }
  }

  private awayStanding(url: string): RoomStanding {
    const { phase, servers } = this.deps.accounts.state.getState();
    if (phase === "starting") return "unknown";
    const authorization = servers.find((server) => server.url === url)?.authorization ?? "needs-sign-in";
    return authorization === "needs-sign-in" ? "needs-sign-in" : "offline";
  }

  private async lose(roomId: string, reason: PlaceLost["reason"]): Promise<void> {
    const place = this.saved.place(roomId);
    if (!place || this.changes.isLeaving(roomId)) return;
    await this.saved.forget(roomId);
    for (const tell of [...this.lostListeners]) tell({ roomId, name: place.room.name, reason });
  }
}

/** The rail's rooms (rules WS8, DI7, DI8), as they are stored and as their servers tell of them. */
export const createPlaces = (deps: PlacesDeps): OwnedPlaces => new AccountPlaces(deps);
