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

/** `Servers` with the calls of its creator. */
export interface OwnedServers extends Servers {
  /** Shows what is stored, then follows the connections. */
  start(): Promise<void>;
  stop(): void;
  /** Reloads after another device's changes were stored. */
  refresh(): Promise<void>;
}

/** These stay while the instance is offline. */
const LASTING_STATES: ReadonlySet<JoinState> = new Set(["needs-invite", "banned", "gone"]);
const GATHER_MS = 250;
const NOBODY = presentOf([]);

/** A failed read or write is repeated when the instance is online again. */
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
  private readonly actions: ServerActions;
  private readonly rejoining: Rejoining;
  private readonly events: ServerEvents;
  private readonly members: MemberRecords;
  private readonly lostListeners = new Set<(lost: ServerLost) => void>();
  private readonly unsubscribe: (() => void)[] = [];
  private readonly provisionedUrls = new Set<string>();
  private readonly urlsToRejoin = new Set<string>();
  private cancelRejoin: (() => void) | null = null;

  constructor(deps: ServersDeps) {
    this.deps = deps;
    const { accounts, store } = deps;
    // Records of an instance that was removed from the list stay stored, but hidden.
    this.saved = new SavedServers(store, ({ signalServerUrl }) => !accounts.isForgotten(signalServerUrl));
    this.state = this.saved.state;
    const removeLost = (roomId: string, reason: ServerLost["reason"]): Promise<void> =>
      this.removeLost(roomId, reason);
    const shared = { ...deps, saved: this.saved, versions: createServerVersions(), removeLost };
    this.rejoining = new Rejoining(shared);
    this.events = new ServerEvents(shared);
    this.members = new MemberRecords(shared);
    this.actions = new ServerActions({ ...shared, rejoining: this.rejoining });
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
    this.members.stop();
    this.cancelRejoin?.();
    this.cancelRejoin = null;
    for (const { room } of this.state.getState().servers.values())
      this.rejoining.cancel(room.signalServerUrl);
  }

  async refresh(): Promise<void> {
    const added = await this.saved.load();
    this.followConnections();
    if (added.length === 0) return;
    for (const { signalServerUrl } of added) this.urlsToRejoin.add(signalServerUrl);
    // A snapshot brings servers one by one. Each instance is asked once.
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
    return this.actions.create(...asked);
  }

  join(...asked: Parameters<Servers["join"]>): ReturnType<Servers["join"]> {
    return this.actions.join(...asked);
  }

  leave(roomId: string): Promise<void> {
    return this.actions.leave(roomId);
  }

  update(...asked: Parameters<Servers["update"]>): Promise<void> {
    return this.actions.update(...asked);
  }

  remove(roomId: string): Promise<void> {
    return this.actions.remove(roomId);
  }

  mute(roomId: string, muted: boolean): Promise<void> {
    return this.actions.mute(roomId, muted);
  }

  keepMembers(...input: Parameters<Servers["keepMembers"]>): Promise<void> {
    return this.members.keepMembers(...input);
  }

  keepBans(...input: Parameters<Servers["keepBans"]>): Promise<void> {
    return this.members.keepBans(...input);
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
    void this.events.handle(url, message).catch(ignoreProblem);
    this.members.handle(url, message);
    if (message.type !== "access_request" || message.request.status !== "approved") return;
    // Our request was approved, unless it was somebody else's.
    if (message.request.userId === this.deps.accounts.actorId(url)) this.rejoin(url);
  }

  private onOnline(url: string): void {
    // The instance forgets the status with the last connection.
    const status = this.status.getState();
    if (status !== "online") this.deps.connections.of(url)?.cast({ type: "status_update", status });
    this.rejoin(url);
  }

  private rejoin(url: string): void {
    void this.loadAndRejoin(url).catch(ignoreProblem);
  }

  private async loadAndRejoin(url: string): Promise<void> {
    // The storage may have recovered since the start.
    if (this.state.getState().phase === "loading") await this.saved.load();
    await this.rejoining.rejoinAll(url);
  }

  /**
   * Another device joined servers on an instance that is new to this device: creates the account there, once and
   * silently.
   */
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
      this.rejoining.forgetAttempts();
      this.provisionedUrls.clear();
    }
    if (isOther || instanceUrls(now) !== instanceUrls(before)) void this.refresh().catch(ignoreProblem);
  }

  /** Updates the servers of instances that are offline. */
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

  private async removeLost(roomId: string, reason: ServerLost["reason"]): Promise<void> {
    const server = this.saved.get(roomId);
    if (!server || this.actions.isLeaving(roomId)) return;
    await this.saved.forget(roomId);
    for (const listener of [...this.lostListeners]) listener({ roomId, name: server.room.name, reason });
  }
}

/** See `Servers` (rules WS8, DI7, DI8). */
export const createServers = (deps: ServersDeps): OwnedServers => new AccountServers(deps);
