import type { LocalTokenInfo } from "@hearth/bridge";

/** The answer of a login (interface 2.4). */
export interface LocalLogin {
  /** 64 hexadecimal characters. */
  readonly token: string;
  /** @isLong */
  readonly expiresAt: number;
  readonly user: { readonly id: string; readonly username: string; readonly displayName: string };
}

/** The source of a request, for the throttle and the list of tokens. */
export interface Caller {
  readonly remoteAddress: string;
  readonly userAgent: string | null;
}

/** Logins, and their tokens, which are held in memory only (rules LA5 to LA7). */
export interface LocalAccess {
  /**
   * Throws `INVALID_REQUEST`, `NO_ALLOWED_SERVERS`, `SERVER_NOT_ALLOWED`, `INVALID_CREDENTIALS`,
   * `ACCOUNT_NOT_ON_DEVICE`, `UPSTREAM_UNREACHABLE`, `UPSTREAM_RATE_LIMITED` or `RATE_LIMITED`, checked in the order
   * of interface 7.
   */
  login(body: unknown, caller: Caller): Promise<LocalLogin>;
  /** Marks the token as used. Throws `AUTH_INVALID` with the reason. */
  verify(token: string): LocalTokenInfo;
  /** Revokes the verified token. */
  logout(tokenId: string): void;
  /** Newest first. */
  tokens(): readonly LocalTokenInfo[];
  revoke(tokenId: string): boolean;
  revokeAll(): void;
  /** Called with every change of the list. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
}

/** The owner of a token. */
export type TokenOwner = Pick<
  LocalTokenInfo,
  "userId" | "username" | "serverUrl" | "remoteAddress" | "userAgent"
>;

/**
 * Issues a token without a login, for the owner of the machine. No route of the local API may reach this: controllers
 * only get {@link LocalAccess}.
 */
export interface LocalTokenIssuer {
  issue(owner: TokenOwner): { readonly token: string; readonly expiresAt: number };
}
