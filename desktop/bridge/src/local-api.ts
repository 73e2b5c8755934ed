/** A local bearer token as the app lists it; the token itself is not kept (rule LA6). */
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

/** What the local HTTP server is doing. */
export type LocalServerStatus = "stopped" | "starting" | "listening" | "failed";

/** The state that the app shows: the address in force, and the last trouble until it is over (rule LA8). */
export interface LocalServerState {
  readonly status: LocalServerStatus;
  /** URLs that reach it, the loopback one first; empty while it does not listen. */
  readonly urls: readonly string[];
  /** A sentence for people, such as that the port is in use; `null` when the last change succeeded. */
  readonly lastError: string | null;
}
