import type { LocalTokenInfo } from "../access/local-access.ts";
import type { LocalApiSettings } from "../settings/local-api-settings.ts";

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

/** The local HTTP server as the app holds it. */
export interface LocalServer {
  state(): LocalServerState;
  /**
   * Brings the server to the settings: starts, stops or binds anew. Resolves when that is over, also when it failed:
   * `state()` says how it ended. Calls that overlap are served one after the other.
   */
  apply(settings: LocalApiSettings): Promise<LocalServerState>;
  /** Ends the server and every token. */
  stop(): Promise<void>;
  tokens(): readonly LocalTokenInfo[];
  revoke(tokenId: string): boolean;
  revokeAll(): void;
  /** Called on every change of state and of the list of tokens; returns how to end that. */
  onChange(listener: () => void): () => void;
}
