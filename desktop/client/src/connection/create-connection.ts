import type { ClientLimits } from "@hearth/contracts";
import { createStore } from "zustand/vanilla";
import { ClientProblem } from "@hearth/device";
import type { Platform } from "../ports.ts";
import { createBackoff } from "./backoff.ts";
import type { Connection, ConnectionState, Incoming, OutgoingMessage } from "./connection.ts";
import type { AuthFailureReason, Ending } from "./ending.ts";
import { openLink } from "./link.ts";
import type { ConnectionCredentials, Link, LinkPlatform } from "./link.ts";

/** After this time online the next failure counts as a new one. */
const STEADY_MS = 10_000;
/** A dial that is older is restarted when the network returns. */
const FRESH_DIAL_MS = 1_000;
/** A clock measurement this precise replaces any other. */
const GOOD_SPREAD_MS = 1_000;

export interface ConnectionOptions {
  readonly platform: LinkPlatform & Pick<Platform, "random" | "attention" | "onResume">;
  /** The normalised URL of the instance. */
  readonly url: string;
  readonly instanceId: () => string;
  /** `null` if there is no valid account. */
  readonly credentials: () => ConnectionCredentials | null;
  /** The server refused the token; not called for failures that may pass (rule ER6). */
  readonly onAuthFailure: (token: string, reason: AuthFailureReason) => void;
}

/** `Connection` with the calls of its creator. */
export interface OwnedConnection extends Connection {
  open(): void;
  /** For good: nothing is sent, received or dialled any more. */
  close(): void;
}

/** The base of the socket's URL, `ws://host:port`; also the `connectionScope`. */
export const socketBase = (url: string): string => url.replace(/^http/, "ws");

class ReconnectingConnection implements OwnedConnection {
  readonly state;
  private readonly options: ConnectionOptions;
  private readonly backoff;
  private readonly listeners = new Set<(message: Incoming) => void>();
  private readonly unsubscribe: (() => void)[] = [];
  private link: Link | null = null;
  private dialledAt = 0;
  private cancelRetry = (): void => undefined;
  private cancelSteady = (): void => undefined;
  private clock = { ahead: 0, spread: Infinity };
  private isClosed = false;

  constructor(options: ConnectionOptions) {
    this.options = options;
    this.backoff = createBackoff(options.platform.random);
    this.state = createStore<ConnectionState>(() => ({
      url: options.url,
      status: "idle",
      attempts: 0,
      retryAt: null,
      offlineSince: null,
      lastOnlineAt: null,
      limits: null,
      reason: null,
    }));
  }

  open(): void {
    const { attention, onResume } = this.options.platform;
    if (this.isClosed || this.state.getState().status !== "idle") return;
    this.unsubscribe.push(
      onResume(() => this.wake()),
      attention.subscribe((now, before) => {
        if (now.isOnline && !before.isOnline) this.wake();
        else if (now.isOnline !== before.isOnline || (now.isVisible && !before.isVisible)) this.link?.probe();
      }),
    );
    this.dial();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.unsubscribe.splice(0).forEach((end) => end());
    this.link?.abandon();
    this.finish(null);
    this.listeners.clear();
  }

  async request(message: OutgoingMessage): Promise<Incoming> {
    const requests = this.link?.requests;
    if (!requests) throw new ClientProblem("OFFLINE", { retryable: true });
    return requests.request(message);
  }

  cast(message: OutgoingMessage): void {
    this.link?.requests?.cast(message);
  }

  on(listener: (message: Incoming) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  retryNow(): void {
    const { status } = this.state.getState();
    if (this.isClosed || status === "idle" || status === "connecting" || status === "online") return;
    this.backoff.reset();
    this.dial();
  }

  now(): number {
    return Math.round(this.options.platform.now() + this.clock.ahead);
  }

  /** The network is back or the machine woke up: do not wait, and do not trust an open socket. */
  private wake(): void {
    const { status } = this.state.getState();
    const isStale = this.options.platform.now() - this.dialledAt > FRESH_DIAL_MS;
    if (status === "waiting") this.retryNow();
    else if (status === "connecting" && isStale) this.dial();
    else this.link?.probe();
  }

  private dial(): void {
    const { platform, credentials, instanceId, url, onAuthFailure } = this.options;
    this.cancelRetry();
    this.link?.abandon();
    this.dialledAt = platform.now();
    const identity = credentials();
    if (!identity) return this.finish("NEEDS_SIGN_IN");
    const { attempts, offlineSince } = this.state.getState();
    this.state.setState({
      status: "connecting",
      attempts: attempts + 1,
      retryAt: null,
      offlineSince: offlineSince ?? platform.now(),
    });
    this.link = openLink({
      platform,
      scope: socketBase(url),
      clientInstanceId: instanceId(),
      credentials: identity,
      onIdentified: (limits) => this.arrive(limits),
      onMessage: (message) => [...this.listeners].forEach((listener) => listener(message)),
      onServerTime: (ahead, spread) => {
        if (spread <= Math.max(GOOD_SPREAD_MS, this.clock.spread)) this.clock = { ahead, spread };
      },
      onEnd: (ending) => {
        this.leave(ending);
        if (ending.kind === "final" && ending.authFailure) onAuthFailure(identity.token, ending.authFailure);
      },
    });
  }

  private arrive(limits: ClientLimits): void {
    const { platform } = this.options;
    const online = { status: "online", attempts: 0, offlineSince: null, reason: null } as const;
    this.cancelSteady = platform.later(STEADY_MS, () => this.backoff.reset());
    this.state.setState({ ...online, lastOnlineAt: platform.now(), limits });
  }

  private leave(ending: Ending): void {
    if (ending.kind === "final") return this.finish(ending.reason);
    const delay = Math.max(this.backoff.next(), ending.delayMs ?? 0);
    this.settle();
    const { platform } = this.options;
    this.cancelRetry = platform.later(delay, () => this.dial());
    this.state.setState({
      ...this.absence(),
      status: "waiting",
      retryAt: platform.now() + delay,
      reason: ending.reason,
    });
  }

  private finish(reason: string | null): void {
    this.settle();
    this.state.setState({ ...this.absence(), status: "ended", retryAt: null, reason });
  }

  private settle(): void {
    this.link = null;
    this.cancelSteady();
    this.cancelRetry();
  }

  private absence(): Pick<ConnectionState, "offlineSince" | "lastOnlineAt"> {
    const { status, offlineSince, lastOnlineAt } = this.state.getState();
    const now = this.options.platform.now();
    return {
      offlineSince: offlineSince ?? now,
      lastOnlineAt: status === "online" ? now : lastOnlineAt,
    };
  }
}

/** A connection that dials when it is opened (rules CL6, WS3, WS11, WS14). */
export const createConnection = (options: ConnectionOptions): OwnedConnection =>
  new ReconnectingConnection(options);
