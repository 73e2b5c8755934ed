import { ProblemError } from "@hearth/contracts";
import type { PublicKey } from "@hearth/contracts";
import { importJWK } from "jose";
import type { CryptoKey } from "jose";
import type { Clock } from "../timing/clock.ts";

/** Fetches what auth-service publishes; usually a bus request of `authSubjects.keys`. */
export type FetchKeys = () => Promise<{ readonly keys: readonly PublicKey[] }>;

/** A forged `kid` must not make us ask again and again; several processes may have begun to sign in one second. */
const FETCHES = { most: 5, perMs: 1_000 };
const RETRY_MS = 500;
/** A key that was withdrawn stops being trusted within this time. */
const MAX_AGE_MS = 300_000;

async function importKey(key: PublicKey): Promise<CryptoKey | undefined> {
  if (key.kty !== "OKP" || key.crv !== "Ed25519") return undefined;
  const imported = await importJWK({ kty: key.kty, crv: key.crv, x: key.x }, "EdDSA");
  return imported instanceof Uint8Array ? undefined : imported;
}

/** The public keys by `kid`, fetched when an unknown one turns up. */
export class KeySet {
  readonly #fetch: FetchKeys;
  readonly #clock: Clock;
  #keys = new Map<string, CryptoKey>();
  #fetchedAt = -Infinity;
  /** When it was fetched lately. */
  #fetches: number[] = [];
  #failedAt = -Infinity;
  #fetching: Promise<void> | undefined;

  constructor(fetch: FetchKeys, clock: Clock) {
    this.#fetch = fetch;
    this.#clock = clock;
  }

  /**
   * The key; `undefined` when the set has none of that id. Rejects with `UNAVAILABLE` while it cannot be fetched, and
   * while it was fetched so often that a key made since may be missing (rule ER6).
   */
  async get(kid: string): Promise<CryptoKey | undefined> {
    const age = this.#clock.now() - this.#fetchedAt;
    if (!this.#keys.has(kid) && this.#isExhausted()) throw this.#away();
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
    return this.#fetches.length >= FETCHES.most;
  }

  #refresh(): Promise<void> {
    const sinceFailure = this.#clock.now() - this.#failedAt;
    if (sinceFailure >= 0 && sinceFailure < RETRY_MS) return Promise.reject(this.#away());
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
      throw this.#away();
    }
  }

  #away(): ProblemError {
    return new ProblemError("UNAVAILABLE", "Identities cannot be verified right now");
  }
}
