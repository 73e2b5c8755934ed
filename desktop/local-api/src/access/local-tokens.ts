import { ProblemError } from "@hearth/contracts";
import type { AuthInvalidReason } from "@hearth/contracts";
import { newId, randomToken, sha256Hex } from "@hearth/runtime";
import type { Clock } from "@hearth/runtime";
import type { LocalTokenInfo } from "@hearth/bridge";
import type { TokenOwner } from "./local-access.ts";

const LIFETIME_MS = 24 * 60 * 60_000;
/** Beyond these limits the oldest token is revoked, and the oldest revoked one is forgotten. */
const MAX_TOKENS = 200;
const MAX_ENDED = 1_000;
const TOKEN = /^[0-9a-f]{64}$/;

export interface IssuedToken {
  readonly token: string;
  readonly info: LocalTokenInfo;
}

const refused = (reason: AuthInvalidReason): ProblemError =>
  new ProblemError("AUTH_INVALID", undefined, { reason });

/** The local tokens of one process by SHA-256 (rule LA6); the tokens themselves are not kept. */
export class LocalTokens {
  readonly #clock: Clock;
  readonly #random: () => string;
  /** Oldest first. */
  readonly #live = new Map<string, LocalTokenInfo>();
  readonly #ended = new Map<string, AuthInvalidReason>();

  constructor(clock: Clock, random: () => string = randomToken) {
    this.#clock = clock;
    this.#random = random;
  }

  issue(owner: TokenOwner): IssuedToken {
    this.#dropExpired();
    const token = this.#random();
    const createdAt = this.#clock.now();
    const info: LocalTokenInfo = {
      id: newId(),
      ...owner,
      createdAt,
      lastUsedAt: null,
      expiresAt: createdAt + LIFETIME_MS,
    };
    this.#live.set(sha256Hex(token), info);
    const [oldest] = this.#live.keys();
    if (this.#live.size > MAX_TOKENS && oldest !== undefined) this.#end(oldest, "revoked");
    return { token, info };
  }

  /** Looked up by hash, so that the timing reveals nothing about the token. */
  use(token: string): { readonly before: LocalTokenInfo; readonly now: LocalTokenInfo } {
    if (!TOKEN.test(token)) throw refused("unknown");
    const hash = sha256Hex(token);
    this.#dropExpired();
    const before = this.#live.get(hash);
    if (!before) throw refused(this.#ended.get(hash) ?? "unknown");
    const now = { ...before, lastUsedAt: this.#clock.now() };
    this.#live.set(hash, now);
    return { before, now };
  }

  /** Newest first. */
  list(): readonly LocalTokenInfo[] {
    this.#dropExpired();
    return [...this.#live.values()].reverse();
  }

  revoke(tokenId: string): boolean {
    for (const [hash, { id }] of this.#live) if (id === tokenId) return this.#end(hash, "revoked");
    return false;
  }

  /** True if there was something to revoke. */
  revokeAll(): boolean {
    const hashes = [...this.#live.keys()];
    for (const hash of hashes) this.#end(hash, "revoked");
    return hashes.length > 0;
  }

  #dropExpired(): void {
    const now = this.#clock.now();
    for (const [hash, { expiresAt }] of this.#live) if (expiresAt <= now) this.#end(hash, "expired");
  }

  #end(hash: string, reason: AuthInvalidReason): boolean {
    this.#live.delete(hash);
    this.#ended.set(hash, reason);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > MAX_ENDED && oldest !== undefined) this.#ended.delete(oldest);
    return true;
  }
}
