import { hash } from "node:crypto";
import { LIMITS, ProblemError, authSubjects } from "@hearth/contracts";
import type { Bus, Clock, Counter, Metrics, Subscription } from "@hearth/runtime";

/** Who a token belongs to, and the JWT that stands for it inside (GW2). */
export interface Identity {
  readonly userId: string;
  readonly sessionId: string;
  readonly jwt: string;
  /** Epoch ms after which auth is asked again. */
  readonly until: number;
}

export interface Identities {
  /**
   * Rejects with `AUTH_INVALID` when auth refuses the token, and with what may pass (`UNAVAILABLE`, `TIMEOUT`)
   * when auth cannot be asked (ER6).
   */
  of(token: string): Promise<Identity>;
  /** False once the session has ended or auth must be asked again. */
  stillHolds(identity: Identity): boolean;
  close(): void;
}

export interface IdentitiesDeps {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Most identities that are remembered; default 10,000. */
  readonly capacity?: number;
}

/** A forwarded JWT lives at least this long: as long as a request may take to arrive. */
const JWT_RESERVE_MS = LIMITS.internalJwtMs - LIMITS.identityCacheMs;
/** Longer than any answer of auth can be under way. */
const TOMBSTONE_MS = 2 * LIMITS.internalJwtMs;
const ASK_TIMEOUT_MS = 2_000;

/**
 * Remembers good answers of auth for at most 30 s, by the token's hash. The end of a session removes its
 * identity and leaves a tombstone: an answer that auth gave before the end and that arrives after it is neither
 * used nor remembered (AU6). Refusals are not remembered.
 */
class CachedIdentities implements Identities {
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #capacity: number;
  readonly #lookups: Counter<"outcome">;
  readonly #known = new Map<string, Identity>();
  readonly #asking = new Map<string, Promise<Identity>>();
  readonly #ended = new Map<string, number>();
  readonly #subscriptions: readonly Subscription[];
  #closed = false;

  constructor({ bus, clock, metrics, capacity = 10_000 }: IdentitiesDeps) {
    this.#bus = bus;
    this.#clock = clock;
    this.#capacity = capacity;
    this.#lookups = metrics.counter({
      name: "hearth_gateway_identity_lookups_total",
      help: "Tokens presented, by where their identity came from",
      labels: ["outcome"],
    });
    this.#subscriptions = [
      bus.subscribe(authSubjects.sessionEnded, ({ sessionId }) => this.#end(sessionId)),
      bus.onReconnect(() => this.#known.clear()),
      bus.subscribe(authSubjects.userUpdated, ({ userId }) =>
        this.#forget((identity) => identity.userId === userId),
      ),
    ];
  }

  async of(token: string): Promise<Identity> {
    if (this.#closed) throw new ProblemError("UNAVAILABLE");
    // Without the bus the end of a session would not be heard, so nothing remembered counts.
    if (!this.#bus.connected) this.#known.clear();
    const key = hash("sha256", token, "base64");
    const known = this.#known.get(key);
    if (known && this.stillHolds(known)) {
      this.#lookups.inc({ outcome: "hit" });
      return known;
    }
    const asking = this.#asking.get(key) ?? this.#ask(key, token);
    const identity = await asking;
    this.#refuseEnded(identity.sessionId);
    return identity;
  }

  stillHolds(identity: Identity): boolean {
    return this.#clock.now() < identity.until && !this.#ended.has(identity.sessionId);
  }

  close(): void {
    this.#closed = true;
    for (const subscription of this.#subscriptions) subscription.close();
    this.#known.clear();
  }

  #ask(key: string, token: string): Promise<Identity> {
    const asking = this.#exchange(key, token).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  async #exchange(key: string, token: string): Promise<Identity> {
    try {
      const answer = await this.#bus.request(authSubjects.exchange, { token }, { timeoutMs: ASK_TIMEOUT_MS });
      const { session, jwt, jwtExpiresAt } = answer;
      this.#refuseEnded(session.sessionId);
      const now = this.#clock.now();
      if (session.expiresAt <= now) throw refusal("expired");
      const until = Math.min(now + LIMITS.identityCacheMs, jwtExpiresAt - JWT_RESERVE_MS, session.expiresAt);
      const identity = { userId: session.userId, sessionId: session.sessionId, jwt, until };
      this.#remember(key, identity);
      this.#lookups.inc({ outcome: "miss" });
      return identity;
    } catch (error) {
      const refused = error instanceof ProblemError && !error.retryable;
      this.#lookups.inc({ outcome: refused ? "refused" : "failed" });
      throw error;
    }
  }

  #remember(key: string, identity: Identity): void {
    if (identity.until <= this.#clock.now()) return;
    this.#known.delete(key);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= this.#capacity && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, identity);
  }

  #end(sessionId: string): void {
    const now = this.#clock.now();
    for (const [id, at] of this.#ended) {
      if (now - at < TOMBSTONE_MS) break;
      this.#ended.delete(id);
    }
    this.#ended.delete(sessionId);
    this.#ended.set(sessionId, now);
    this.#forget((identity) => identity.sessionId === sessionId);
  }

  #forget(matches: (identity: Identity) => boolean): void {
    for (const [key, identity] of this.#known) if (matches(identity)) this.#known.delete(key);
  }

  #refuseEnded(sessionId: string): void {
    if (this.#ended.has(sessionId)) throw refusal("revoked");
  }
}

const refusal = (reason: "revoked" | "expired"): ProblemError =>
  new ProblemError("AUTH_INVALID", undefined, { reason });

export const createIdentities = (deps: IdentitiesDeps): Identities => new CachedIdentities(deps);
