import { ProblemError } from "@hearth/contracts";
import type { AuthInvalidReason } from "@hearth/contracts";
import { errors, jwtVerify } from "jose";
import type { JWTPayload } from "jose";
import { LRUCache } from "lru-cache";
import { systemClock } from "../timing/clock.ts";
import type { Clock } from "../timing/clock.ts";
import { INTERNAL_AUDIENCE, INTERNAL_ISSUER } from "./headers.ts";
import { KeySet } from "./key-set.ts";
import type { FetchKeys } from "./key-set.ts";

/** The user and session that a request acts for, taken from the internal JWT alone (rule GW2). */
export interface Actor {
  readonly userId: string;
  readonly sessionId: string;
  readonly username: string;
  readonly displayName: string;
}

/** Verifies the JWT that stands for a session inside the product (rule GW2). */
export interface JwtVerifier {
  /** Rejects with `AUTH_INVALID`, or with `UNAVAILABLE` while the key set cannot be fetched (rule ER6). */
  verify(jwt: string): Promise<Actor>;
}

export interface JwtVerifierOptions {
  readonly keys: FetchKeys;
  readonly clock?: Clock;
}

/** How many seconds the clocks of two nodes may differ. */
export const CLOCK_TOLERANCE_S = 30;
const CACHE_SIZE = 10_000;

const refused = (reason: AuthInvalidReason): ProblemError =>
  new ProblemError("AUTH_INVALID", undefined, { reason });

const text = (payload: JWTPayload, claim: string): string => {
  const value = payload[claim];
  if (typeof value !== "string" || value === "") throw refused("unknown");
  return value;
};

const actorOf = (payload: JWTPayload): Actor => ({
  userId: text(payload, "sub"),
  sessionId: text(payload, "sid"),
  username: text(payload, "preferred_username"),
  displayName: text(payload, "name"),
});

interface Verified {
  readonly actor: Actor;
  readonly usableUntil: number;
}

class EdDsaVerifier implements JwtVerifier {
  readonly #keys: KeySet;
  readonly #clock: Clock;
  readonly #verified = new LRUCache<string, Verified>({ max: CACHE_SIZE });

  constructor({ keys, clock = systemClock }: JwtVerifierOptions) {
    this.#keys = new KeySet(keys, clock);
    this.#clock = clock;
  }

  async verify(jwt: string): Promise<Actor> {
    const known = this.#verified.get(jwt);
    if (known && this.#clock.now() < known.usableUntil) return known.actor;
    if (known) this.#verified.delete(jwt);
    const payload = await this.#check(jwt);
    const actor = actorOf(payload);
    this.#verified.set(jwt, { actor, usableUntil: (payload.exp ?? 0) * 1000 });
    return actor;
  }

  async #check(jwt: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(jwt, ({ kid }) => this.#keyOf(kid), {
        algorithms: ["EdDSA"],
        issuer: INTERNAL_ISSUER,
        audience: INTERNAL_AUDIENCE,
        requiredClaims: ["sub", "sid", "jti", "exp"],
        clockTolerance: CLOCK_TOLERANCE_S,
        currentDate: new Date(this.#clock.now()),
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw refused("expired");
      if (error instanceof errors.JOSEError) throw refused("unknown");
      throw error;
    }
  }

  async #keyOf(kid: string | undefined) {
    const key = kid === undefined ? undefined : await this.#keys.get(kid);
    if (!key) throw refused("unknown");
    return key;
  }
}

export const createJwtVerifier = (options: JwtVerifierOptions): JwtVerifier => new EdDsaVerifier(options);
