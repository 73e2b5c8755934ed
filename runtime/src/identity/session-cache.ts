import { hash } from "node:crypto";
import { LIMITS } from "@hearth/contracts";
import { LRUCache } from "lru-cache";
import type { Bus } from "../bus/bus.ts";
import type { Clock } from "../timing/clock.ts";

/** Auth's answer about one token. */
export interface CachedSession {
  readonly userId: string;
  readonly sessionId: string;
  /** Epoch milliseconds; the answer is not valid from then on. */
  readonly expiresAt: number;
}

export interface SessionCacheOptions {
  readonly bus: Pick<Bus, "connected">;
  readonly clock: Clock;
  /** How many answers are kept; default 10,000. */
  readonly capacity?: number;
}

interface Entry<Session> {
  readonly session: Session;
  readonly until: number;
}

const CAPACITY = 10_000;

/**
 * Caches auth's answers about tokens for at most 30 s (rule GW2), under a hash of the token. An answer counts only while
 * the bus is connected, because otherwise this process would miss the end of a session. Refusals are not cached.
 */
export class SessionCache<Session extends CachedSession> {
  readonly #entries: LRUCache<string, Entry<Session>>;
  /** Requests in progress. After a change, an older answer still goes to its callers but is not cached. */
  readonly #requests = new Map<string, Promise<Session>>();
  readonly #bus: Pick<Bus, "connected">;
  readonly #clock: Clock;

  constructor({ bus, clock, capacity = CAPACITY }: SessionCacheOptions) {
    this.#bus = bus;
    this.#clock = clock;
    this.#entries = new LRUCache({ max: capacity });
  }

  /** `credential` is the token and whatever else the answer depends on. */
  get(credential: string): Session | undefined {
    if (!this.#bus.connected) this.clear();
    const entry = this.#entries.get(keyOf(credential));
    return entry && entry.until > this.#clock.now() ? entry.session : undefined;
  }

  /** Asks auth; callers that ask for the same credential meanwhile share the request. */
  load(credential: string, ask: () => Promise<Session>): Promise<Session> {
    const key = keyOf(credential);
    return this.#requests.get(key) ?? this.#load(key, ask);
  }

  forgetSession(sessionId: string): void {
    this.#forget((session) => session.sessionId === sessionId);
  }

  /** The account changed: its next answer comes from auth. */
  forgetUser(userId: string): void {
    this.#forget((session) => session.userId === userId);
  }

  /** Forgets everything, because events may have been missed. */
  clear(): void {
    this.#entries.clear();
    this.#requests.clear();
  }

  #load(key: string, ask: () => Promise<Session>): Promise<Session> {
    const isCurrent = (): boolean => this.#requests.get(key) === request;
    const request = ask()
      .then((session) => {
        if (isCurrent()) this.#keep(key, session);
        return session;
      })
      .finally(() => {
        if (isCurrent()) this.#requests.delete(key);
      });
    this.#requests.set(key, request);
    return request;
  }

  #keep(key: string, session: Session): void {
    const until = Math.min(this.#clock.now() + LIMITS.identityCacheMs, session.expiresAt);
    this.#entries.set(key, { session, until });
  }

  #forget(matches: (session: Session) => boolean): void {
    this.#requests.clear();
    for (const [key, { session }] of this.#entries.entries()) if (matches(session)) this.#entries.delete(key);
  }
}

const keyOf = (credential: string): string => hash("sha256", credential, "base64");
