import type { LocalServerState, LocalTokenInfo } from "@hearth/bridge";
import type { LocalApiSettings } from "@hearth/device";

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
