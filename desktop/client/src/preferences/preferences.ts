import type { Readable } from "../observable.ts";

/** Of this device; kept in local storage. */
export interface PreferencesState {
  readonly theme: "system" | "light" | "dark";
  readonly density: "comfortable" | "compact";
  /** Whether others see that this person is typing. */
  readonly tellsTyping: boolean;
  readonly notify: "all" | "mentions" | "nothing";
  readonly sound: boolean;
  /** Of signaling servers whose messages are not notified. */
  readonly mutedServers: readonly string[];
  /** Enter sends; otherwise Ctrl+Enter does. */
  readonly enterSends: boolean;
  /** Bytes of messages on this device, the oldest of which go beyond that; `null` keeps what fits. */
  readonly keepAtMost: number | null;
}

export interface Preferences {
  readonly state: Readable<PreferencesState>;
  change(changes: Partial<PreferencesState>): void;
}
