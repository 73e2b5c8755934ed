import { ProblemError } from "@hearth/contracts";
import { addressBlock } from "@hearth/runtime";
import type { Clock, Limiter, LimiterFactory, Log } from "@hearth/runtime";
import type { DeviceCredential } from "@hearth/device";
import type { Caller, LocalAccess, LocalLogin, LocalTokenIssuer, TokenOwner } from "./local-access.ts";
import type { LocalTokenInfo } from "@hearth/bridge";
import { LocalTokens } from "./local-tokens.ts";
import { checkedLogin, isAllowed } from "./login-request.ts";
import type { UpstreamAccount, UpstreamLogin } from "./upstream.ts";

export interface LocalAccessOptions {
  readonly allowedServers: () => readonly string[];
  /** The accounts of the device (rule LA7). */
  readonly accounts: () => Promise<readonly DeviceCredential[]>;
  readonly validate: UpstreamLogin;
  readonly clock: Clock;
  readonly limiters: LimiterFactory;
  readonly log: Log;
  /** Creates a token; default 32 random bytes as 64 hexadecimal characters. */
  readonly random?: () => string;
}

const MINUTE = 60_000;
const PER_ADDRESS = { name: "local-login", points: 10, windowMs: MINUTE };
/** The limit for six addresses, so that nobody sends more than this to an instance in our name. */
const IN_ALL = { name: "local-login-total", points: 60, windowMs: MINUTE };
const USER_AGENT_LENGTH = 256;
/** How often listeners are notified at most about uses of one token. */
const USE_NOTICE_MS = 5_000;

class MemoryLocalAccess implements LocalAccess, LocalTokenIssuer {
  readonly #options: LocalAccessOptions;
  readonly #tokens: LocalTokens;
  readonly #perAddress: Limiter;
  readonly #inAll: Limiter;
  readonly #listeners = new Set<() => void>();
  #useToldAt = 0;
  /** Increases when all tokens are revoked, so that a login under way gets no token that outlives them. */
  #era = 0;

  constructor(options: LocalAccessOptions) {
    this.#options = options;
    this.#tokens = new LocalTokens(options.clock, options.random);
    this.#perAddress = options.limiters(PER_ADDRESS);
    this.#inAll = options.limiters(IN_ALL);
  }

  async login(body: unknown, caller: Caller): Promise<LocalLogin> {
    const { allowedServers, validate } = this.#options;
    const era = this.#era;
    const { serverUrl, username, password } = checkedLogin(body, allowedServers);
    await this.#perAddress.consume(addressBlock(caller.remoteAddress));
    await this.#inAll.consume("all");
    const account = await validate({ serverUrl, username, password });
    await this.#checkOnDevice(serverUrl, account);
    if (era !== this.#era) throw new ProblemError("UNAVAILABLE", "All local tokens ended during this login");
    if (!isAllowed(serverUrl, allowedServers())) throw new ProblemError("SERVER_NOT_ALLOWED");
    const issued = this.issue({
      userId: account.id,
      username: account.username,
      serverUrl,
      remoteAddress: caller.remoteAddress,
      userAgent: caller.userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
    });
    return { ...issued, user: account };
  }

  issue(owner: TokenOwner): { readonly token: string; readonly expiresAt: number } {
    const { token, info } = this.#tokens.issue(owner);
    const { userId, serverUrl } = owner;
    this.#options.log.info({ tokenId: info.id, userId, serverUrl }, "local token issued");
    this.#notify();
    return { token, expiresAt: info.expiresAt };
  }

  verify(token: string): LocalTokenInfo {
    const { before, now } = this.#tokens.use(token);
    const usedAt = now.lastUsedAt ?? 0;
    if (before.lastUsedAt === null || usedAt - this.#useToldAt >= USE_NOTICE_MS) {
      this.#useToldAt = usedAt;
      this.#notify();
    }
    return now;
  }

  logout(tokenId: string): void {
    this.revoke(tokenId);
  }

  tokens(): readonly LocalTokenInfo[] {
    return this.#tokens.list();
  }

  revoke(tokenId: string): boolean {
    const revoked = this.#tokens.revoke(tokenId);
    if (revoked) this.#notify();
    return revoked;
  }

  revokeAll(): void {
    this.#era += 1;
    if (this.#tokens.revokeAll()) this.#notify();
  }

  onChange(listener: () => void): () => void {
    const own = () => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  async #checkOnDevice(serverUrl: string, { id }: UpstreamAccount): Promise<void> {
    const accounts = await this.#options.accounts();
    if (accounts.length === 0) return;
    const held = accounts.some(
      (account) =>
        account.userId.toLowerCase() === id.toLowerCase() && isAllowed(serverUrl, [account.signalServerUrl]),
    );
    if (!held) throw new ProblemError("ACCOUNT_NOT_ON_DEVICE");
  }

  #notify(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        this.#options.log.error({ err: error }, "local token listener failed");
      }
    }
  }
}

export const createLocalAccess = (options: LocalAccessOptions): LocalAccess & LocalTokenIssuer =>
  new MemoryLocalAccess(options);
