import { LIMITS, ProblemError, authSubjects } from "@hearth/contracts";
import { EndedSessions, SessionCache } from "@hearth/runtime";
import type { Bus, CachedSession, Clock, Counter, Metrics, Subscription } from "@hearth/runtime";

/** The owner of a token; `expiresAt` says when auth must be asked again. */
export interface Identity extends CachedSession {
  /** Replaces the token inside (GW2). */
  readonly jwt: string;
}

export interface Identities {
  /**
   * Rejects with `AUTH_INVALID` when auth refuses the token, and with `UNAVAILABLE` or `TIMEOUT` when auth cannot be
   * asked (ER6).
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
  /** How many identities are cached; default 10,000. */
  readonly capacity?: number;
}

/** A forwarded JWT is valid for at least this long: a request may take as long to arrive. */
const JWT_RESERVE_MS = LIMITS.internalJwtMs - LIMITS.identityCacheMs;
const ASK_TIMEOUT_MS = 2_000;

/**
 * Caches auth's answers. An answer that auth gave before a session ended, and that arrives after its end, is neither used
 * nor cached (AU6).
 */
class CachedIdentities implements Identities {
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #lookups: Counter<"outcome">;
  readonly #cache: SessionCache<Identity>;
  readonly #ended: EndedSessions;
  readonly #subscriptions: readonly Subscription[];
  #closed = false;

  constructor({ metrics, ...options }: IdentitiesDeps) {
    const { bus, clock } = options;
    this.#bus = bus;
    this.#clock = clock;
    this.#cache = new SessionCache(options);
    this.#ended = new EndedSessions(clock);
    this.#lookups = metrics.counter({
      name: "hearth_gateway_identity_lookups_total",
      help: "Tokens presented, by the source of their identity",
      labels: ["outcome"],
    });
    this.#subscriptions = [
      bus.subscribe(authSubjects.sessionEnded, ({ sessionId }) => {
        this.#ended.add(sessionId, "revoked");
        this.#cache.forgetSession(sessionId);
      }),
      bus.onReconnect(() => this.#cache.clear()),
      bus.subscribe(authSubjects.userUpdated, ({ userId }) => this.#cache.forgetUser(userId)),
    ];
  }

  async of(token: string): Promise<Identity> {
    if (this.#closed) throw new ProblemError("UNAVAILABLE");
    const cached = this.#cache.get(token);
    if (cached) this.#lookups.inc({ outcome: "hit" });
    const identity = cached ?? (await this.#cache.load(token, () => this.#exchange(token)));
    this.#refuseEnded(identity.sessionId);
    return identity;
  }

  stillHolds({ sessionId, expiresAt }: Identity): boolean {
    return this.#clock.now() < expiresAt && this.#ended.reasonFor(sessionId) === null;
  }

  close(): void {
    this.#closed = true;
    for (const subscription of this.#subscriptions) subscription.close();
    this.#cache.clear();
  }

  async #exchange(token: string): Promise<Identity> {
    try {
      const answer = await this.#bus.request(authSubjects.exchange, { token }, { timeoutMs: ASK_TIMEOUT_MS });
      const { session, jwt, jwtExpiresAt } = answer;
      this.#refuseEnded(session.sessionId);
      const now = this.#clock.now();
      if (session.expiresAt <= now) throw refusal("expired");
      const expiresAt = Math.min(
        now + LIMITS.identityCacheMs,
        jwtExpiresAt - JWT_RESERVE_MS,
        session.expiresAt,
      );
      this.#lookups.inc({ outcome: "miss" });
      return { userId: session.userId, sessionId: session.sessionId, jwt, expiresAt };
    } catch (error) {
      const refused = error instanceof ProblemError && !error.retryable;
      this.#lookups.inc({ outcome: refused ? "refused" : "failed" });
      throw error;
    }
  }

  #refuseEnded(sessionId: string): void {
    if (this.#ended.reasonFor(sessionId) !== null) throw refusal("revoked");
  }
}

const refusal = (reason: "revoked" | "expired"): ProblemError =>
  new ProblemError("AUTH_INVALID", undefined, { reason });

export const createIdentities = (deps: IdentitiesDeps): Identities => new CachedIdentities(deps);
