/** A local bearer token as the app lists it, without the token itself (rule LA6). */
export interface LocalTokenInfo {
  readonly id: string;
  readonly userId: string;
  readonly username: string;
  readonly serverUrl: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number;
  readonly remoteAddress: string;
  readonly userAgent: string | null;
}

/** The state of the local HTTP server. */
export type LocalServerStatus = "stopped" | "starting" | "listening" | "failed";

/** The state that the app shows: the current address, and the last problem until it is solved (rule LA8). */
export interface LocalServerState {
  readonly status: LocalServerStatus;
  /** URLs that reach the server, loopback first; empty while it is off. */
  readonly urls: readonly string[];
  /** A sentence for the user, for example that the port is in use; `null` after a successful change. */
  readonly lastError: string | null;
}
