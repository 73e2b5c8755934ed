import type { UserStatus } from "@hearth/contracts";
import { createStore } from "zustand/vanilla";
import type { AccountsState } from "../accounts/accounts.ts";
import type { Incoming } from "../connection/connection.ts";
import { ClientProblem } from "@hearth/device";
import { ServerActions } from "./server-actions.ts";
import type { ServerLost, Servers, JoinState } from "./servers.ts";
import { onlineConnection } from "./servers-deps.ts";
import type { ServersDeps } from "./servers-deps.ts";
import { presentAfter, presentOf } from "./presence.ts";
import { ServerEvents } from "./server-events.ts";
import { MemberRecords } from "./member-records.ts";
import { createServerVersions } from "./server-versions.ts";
import { SavedServers } from "./saved-servers.ts";
import { Rejoining } from "./rejoining.ts";

/** Places as their owner has them. */
export interface OwnedServers extends Servers {
  /** Shows what is stored, then follows the connections. */
  start(): Promise<void>;
  stop(): void;
  /** Another device's word about saved rooms was stored. */
  refresh(): Promise<void>;
}

/** Stays as it is while its server is away. */
const LASTING_STATES: ReadonlySet<JoinState> = new Set(["needs-invite", "banned", "gone"]);
const GATHER_MS = 250;
const NOBODY = presentOf([]);

/** What cannot be stored or asked now is found out again at the next time online. */
const ignoreProblem = (error: unknown): void => {
  if (!(error instanceof ClientProblem)) throw error;
};

/** Who is signed in. */
const signedInUser = ({ phase, homeUrl, instances }: AccountsState): string =>
  [phase, homeUrl, instances.find(({ url }) => url === homeUrl)?.account?.userId].join(" ");

/** The signaling servers on the list. */
const instanceUrls = ({ instances }: AccountsState): string => instances.map(({ url }) => url).join(" ");

class AccountServers implements OwnedServers {
  readonly state;
  readonly status = createStore<UserStatus>(() => "online");
  private readonly deps: ServersDeps;
  private readonly saved: SavedServers;
  private readonly changes: ServerActions;
  private readonly visits: Rejoining;
  private readonly event: ServerEvents;
  private readonly people: MemberRecords;
  private readonly lostListeners = new Set<(lost: ServerLost) => void>();
  private readonly unsubscribe: (() => void)[] = [];
  private readonly provisionedUrls = new Set<string>();
  private readonly urlsToRejoin = new Set<string>();
  private cancelRejoin: (() => void) | null = null;

  constructor(deps: ServersDeps) {
    this.deps = deps;
    const { accounts, store } = deps;
    // What is stored of a server that was taken off the list waits for its coming back.
    this.saved = new SavedServers(store, ({ signalServerUrl }) => !accounts.isForgotten(signalServerUrl));
    this.state = this.saved.state;
    const removeLost = (roomId: string, reason: ServerLost["reason"]): Promise<void> => this.lose(roomId, reason);
    const shared = { ...deps, saved: this.saved, versions: createServerVersions(), lose: removeLost };
    this.visits = new Rejoining(shared);
    this.event = new ServerEvents(shared);
    this.people = new MemberRecords(shared);
    this.changes = new ServerActions({ ...shared, visits: this.visits });
  }

  async start(): Promise<void> {
    const { accounts, connections } = this.deps;
    try {
      await this.saved.load();
    } finally {
      this.unsubscribe.push(
        accounts.state.subscribe((now, before) => this.followAccounts(now, before)),
        connections.states.subscribe(() => this.followConnections()),
        connections.on((url, message) => this.receive(url, message)),
        connections.onOnline((url) => this.onOnline(url)),
      );
      this.followConnections();
    }
  }

  stop(): void {
    this.unsubscribe.splice(0).forEach((end) => end());
    this.people.stop();
    this.cancelRejoin?.();
    this.cancelRejoin = null;
    for (const { room } of this.state.getState().servers.values()) this.visits.cancel(room.signalServerUrl);
  }

  async refresh(): Promise<void> {
    const added = await this.saved.load();
    this.followConnections();
    if (added.length === 0) return;
    for (const { signalServerUrl } of added) this.urlsToRejoin.add(signalServerUrl);
    // A snapshot brings rooms one by one; their servers are asked once.
    this.cancelRejoin ??= this.deps.platform.later(GATHER_MS, () => {
      this.cancelRejoin = null;
      for (const url of this.urlsToRejoin) {
        if (onlineConnection(this.deps.connections, url)) this.rejoin(url);
        else void this.ensureAccount(url).catch(ignoreProblem);
      }
      this.urlsToRejoin.clear();
    });
  }

  onLost(listener: (lost: ServerLost) => void): () => void {
    this.lostListeners.add(listener);
    return () => void this.lostListeners.delete(listener);
  }

  create(...asked: Parameters<Servers["create"]>): ReturnType<Servers["create"]> {
    return this.changes.create(...asked);
  }

  join(...asked: Parameters<Servers["join"]>): ReturnType<Servers["join"]> {
    return this.changes.join(...asked);
  }

  leave(roomId: string): Promise<void> {
    return this.changes.leave(roomId);
  }

  update(...asked: Parameters<Servers["update"]>): Promise<void> {
    return this.changes.update(...asked);
  }

  remove(roomId: string): Promise<void> {
    return this.changes.remove(roomId);
  }

  mute(roomId: string, muted: boolean): Promise<void> {
    return this.changes.mute(roomId, muted);
  }

  keepMembers(...told: Parameters<Servers["keepMembers"]>): Promise<void> {
    return this.people.keepMembers(...told);
  }

  keepBans(...told: Parameters<Servers["keepBans"]>): Promise<void> {
    return this.people.keepBans(...told);
  }

  setStatus(status: UserStatus): void {
    const { accounts, connections } = this.deps;
    this.status.setState(status, true);
    for (const url of connections.states.getState().keys())
      connections.of(url)?.cast({ type: "status_update", status });
    for (const { room, present } of this.state.getState().servers.values()) {
      const fromUserId = accounts.actorId(room.signalServerUrl) ?? room.actorUserId;
      const stamp = { fromUserId, fromUsername: "", fromDisplayName: "", sentAt: 0 };
      const news = { type: "status_update", status, ...stamp } as const;
      this.saved.patch(room.id, { present: presentAfter(present, news) });
    }
  }

  private receive(url: string, message: Incoming): void {
    void this.event.handle(url, message).catch(ignoreProblem);
    this.people.handle(url, message);
    if (message.type !== "access_request" || message.request.status !== "approved") return;
    // We were let in, unless it was somebody else.
    if (message.request.userId === this.deps.accounts.actorId(url)) this.rejoin(url);
  }

  private onOnline(url: string): void {
    // A server forgets the status with the last connection.
    const status = this.status.getState();
    if (status !== "online") this.deps.connections.of(url)?.cast({ type: "status_update", status });
    this.rejoin(url);
  }

  private rejoin(url: string): void {
    void this.loadAndRejoin(url).catch(ignoreProblem);
  }

  private async loadAndRejoin(url: string): Promise<void> {
    // Storage that failed at the start may be there now.
    if (this.state.getState().phase === "loading") await this.saved.load();
    await this.visits.rejoinAll(url);
  }

  /** Rooms that a sibling told, on a server that this device has never met: the account there, once, unseen. */
  private async ensureAccount(url: string): Promise<void> {
    const { accounts } = this.deps;
    const isKnown = accounts.state.getState().instances.some((server) => server.url === url);
    if (isKnown || this.provisionedUrls.has(url)) return;
    this.provisionedUrls.add(url);
    try {
      await accounts.ensureAccount(url);
    } catch (error) {
      if (error instanceof ClientProblem && error.retryable) this.provisionedUrls.delete(url);
      throw error;
    }
  }

  private followAccounts(now: AccountsState, before: AccountsState): void {
    this.followConnections();
    if (now.phase !== "signed-in") return;
    const isOther = signedInUser(now) !== signedInUser(before);
    if (isOther) {
      this.visits.forgetAttempts();
      this.provisionedUrls.clear();
    }
    if (isOther || instanceUrls(now) !== instanceUrls(before)) void this.refresh().catch(ignoreProblem);
  }

  /** Rooms of servers that are not online. */
  private followConnections(): void {
    const { connections } = this.deps;
    for (const { room, joinState } of this.state.getState().servers.values()) {
      const { signalServerUrl: url, id } = room;
      if (onlineConnection(connections, url)) continue;
      this.saved.patch(id, {
        joinState: LASTING_STATES.has(joinState) ? joinState : this.offlineJoinState(url),
        present: NOBODY,
      });
    }
  }

  private offlineJoinState(url: string): JoinState {
    const { phase, instances } = this.deps.accounts.state.getState();
    if (phase === "starting") return "unknown";
    const authorization = instances.find((server) => server.url === url)?.authorization ?? "needs-sign-in";
    return authorization === "needs-sign-in" ? "needs-sign-in" : "offline";
  }

  private async lose(roomId: string, reason: ServerLost["reason"]): Promise<void> {
    const server = this.saved.get(roomId);
    if (!server || this.changes.isLeaving(roomId)) return;
    await this.saved.forget(roomId);
    for (const tell of [...this.lostListeners]) tell({ roomId, name: server.room.name, reason });
  }
}

/** The rail's rooms (rules WS8, DI7, DI8), as they are stored and as their servers tell of them. */
export const createServers = (deps: ServersDeps): OwnedServers => new AccountServers(deps);
