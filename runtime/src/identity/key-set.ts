import { ProblemError } from "@hearth/contracts";
import type { PublicKey } from "@hearth/contracts";
import { importJWK } from "jose";
import type { CryptoKey } from "jose";
import type { Clock } from "../timing/clock.ts";

/** Fetches the public keys of auth-service, usually by a bus request to `authSubjects.keys`. */
export type FetchKeys = () => Promise<{ readonly keys: readonly PublicKey[] }>;

/** Bounds the fetches that forged `kid`s cause. Several processes of auth may start to sign within one second. */
const FETCHES = { max: 5, perMs: 1_000 };
const RETRY_MS = 500;
/** A withdrawn key is not trusted for longer than this. */
const MAX_AGE_MS = 300_000;

async function importKey(key: PublicKey): Promise<CryptoKey | undefined> {
  if (key.kty !== "OKP" || key.crv !== "Ed25519") return undefined;
  const imported = await importJWK({ kty: key.kty, crv: key.crv, x: key.x }, "EdDSA");
  return imported instanceof Uint8Array ? undefined : imported;
}

/** The public keys by `kid`. An unknown `kid` makes it fetch them again. */
export class KeySet {
  readonly #fetch: FetchKeys;
  readonly #clock: Clock;
  #keys = new Map<string, CryptoKey>();
  #fetchedAt = -Infinity;
  /** The times of the last fetches. */
  #fetches: number[] = [];
  #failedAt = -Infinity;
  #fetching: Promise<void> | undefined;

  constructor(fetch: FetchKeys, clock: Clock) {
    this.#fetch = fetch;
    this.#clock = clock;
  }

  /**
   * The key; `undefined` when the set has none with that id. Rejects with `UNAVAILABLE` while the set cannot be fetched,
   * and when it has been fetched so often that a new key may be missing (rule ER6).
   */
  async get(kid: string): Promise<CryptoKey | undefined> {
    const age = this.#clock.now() - this.#fetchedAt;
    if (!this.#keys.has(kid) && this.#isExhausted()) throw this.#unavailable();
    if (age >= MAX_AGE_MS || age < 0 || !this.#keys.has(kid)) {
      const refreshed = this.#refresh();
      if (this.#keys.has(kid)) refreshed.catch(() => undefined);
      else await refreshed;
    }
    return this.#keys.get(kid);
  }

  #isExhausted(): boolean {
    const now = this.#clock.now();
    this.#fetches = this.#fetches.filter((at) => at <= now && now - at < FETCHES.perMs);
    return this.#fetches.length >= FETCHES.max;
  }

  #refresh(): Promise<void> {
    const sinceFailure = this.#clock.now() - this.#failedAt;
    if (sinceFailure >= 0 && sinceFailure < RETRY_MS) return Promise.reject(this.#unavailable());
    this.#fetching ??= this.#load().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #load(): Promise<void> {
    try {
      const { keys } = await this.#fetch();
      const imported = new Map<string, CryptoKey>();
      for (const key of keys) {
        const usable = await importKey(key).catch(() => undefined);
        if (usable) imported.set(key.kid, usable);
      }
      this.#keys = imported;
      this.#fetchedAt = this.#clock.now();
      this.#fetches.push(this.#fetchedAt);
    } catch {
      this.#failedAt = this.#clock.now();
      throw this.#unavailable();
    }
  }

  #unavailable(): ProblemError {
    return new ProblemError("UNAVAILABLE", "Identities cannot be verified right now");
  }
}
