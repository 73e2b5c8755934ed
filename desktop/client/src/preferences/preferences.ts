import type { Readable } from "../observable.ts";

/** Settings of this device, in local storage. */
export interface PreferencesState {
  readonly theme: "system" | "light" | "dark";
  readonly density: "comfortable" | "compact";
  /** Whether others see that this user is typing. */
  readonly tellsTyping: boolean;
  readonly notify: "all" | "mentions" | "nothing";
  readonly sound: boolean;
  /** URLs of instances without notifications. */
  readonly mutedServers: readonly string[];
  /** Enter sends; otherwise Ctrl+Enter does. */
  readonly enterSends: boolean;
  /** How many bytes of messages this device keeps; the oldest are removed. `null` keeps as many as fit. */
  readonly keepAtMost: number | null;
}

export interface Preferences {
  readonly state: Readable<PreferencesState>;
  change(changes: Partial<PreferencesState>): void;
}
