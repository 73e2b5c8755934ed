import type { LocalTokenInfo } from "@hearth/bridge";

/** The answer of a login (interface 2.4). */
export interface LocalLogin {
  /** 64 hexadecimal characters. */
  readonly token: string;
  /** @isLong */
  readonly expiresAt: number;
  readonly user: { readonly id: string; readonly username: string; readonly displayName: string };
}

/** Where a request came from, for the throttle and the list of tokens. */
export interface Caller {
  readonly remoteAddress: string;
  readonly userAgent: string | null;
}

/** Who may read: logins, and the tokens that they issue, held in memory only (rules LA5 to LA7). */
export interface LocalAccess {
  /**
   * Throws `INVALID_REQUEST`, `NO_ALLOWED_SERVERS`, `SERVER_NOT_ALLOWED`, `INVALID_CREDENTIALS`,
   * `ACCOUNT_NOT_ON_DEVICE`, `UPSTREAM_UNREACHABLE`, `UPSTREAM_RATE_LIMITED` or `RATE_LIMITED`, checked in the order
   * of interface 7.
   */
  login(body: unknown, caller: Caller): Promise<LocalLogin>;
  /** Marks the token as used; throws `AUTH_INVALID` with the reason. */
  verify(token: string): LocalTokenInfo;
  /** Ends the token that was verified. */
  logout(tokenId: string): void;
  /** Newest first. */
  tokens(): readonly LocalTokenInfo[];
  revoke(tokenId: string): boolean;
  revokeAll(): void;
  /** Called with every change of the list; returns how to end that. */
  onChange(listener: () => void): () => void;
}

/** Whom a token is issued to. */
export type TokenOwner = Pick<
  LocalTokenInfo,
  "userId" | "username" | "serverUrl" | "remoteAddress" | "userAgent"
>;

/**
 * Issues a token without a login, for whoever sits at the machine and owns its data. No route of the local API may
 * reach this: it is apart from {@link LocalAccess}, which is all that controllers are given.
 */
export interface LocalTokenIssuer {
  issue(owner: TokenOwner): { readonly token: string; readonly expiresAt: number };
}
