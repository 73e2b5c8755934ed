import type { LocalServerState, LocalTokenInfo } from "@hearth/bridge";
import type { LocalApiSettings } from "@hearth/device";

/** The local HTTP server for the app. */
export interface LocalServer {
  state(): LocalServerState;
  /**
   * Applies the settings: starts, stops or rebinds. Resolves when done, even if that failed: see `state()`.
   * Overlapping calls run one after the other.
   */
  apply(settings: LocalApiSettings): Promise<LocalServerState>;
  /** Stops the server and revokes every token. */
  stop(): Promise<void>;
  tokens(): readonly LocalTokenInfo[];
  revoke(tokenId: string): boolean;
  revokeAll(): void;
  /** Called on every change of the state and of the tokens. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
}
