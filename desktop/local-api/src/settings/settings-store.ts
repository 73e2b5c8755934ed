import type { SettingIssue } from "@hearth/device";
import { DEFAULT_LOCAL_API_SETTINGS } from "@hearth/device";
import type { LocalApiSettings } from "@hearth/device";

/** The result of loading the settings. */
export interface LoadedSettings {
  /** Always usable; `enabled` is false if something was refused. */
  readonly settings: LocalApiSettings;
  /** Names of refused values. */
  readonly issues: readonly SettingIssue[];
  /** A sentence for the user about a failed load; `null` after a successful one. */
  readonly trouble: string | null;
}

/** Stores the settings. */
export interface SettingsStore {
  load(): Promise<LoadedSettings>;
  /** Rejects with a `ProblemError` `UNAVAILABLE` if they cannot be saved; the old ones stay. */
  save(settings: LocalApiSettings): Promise<void>;
}

/** Settings in memory, such as those of a command line. */
export function createMemorySettings(initial: Partial<LocalApiSettings> = {}): SettingsStore {
  let settings: LocalApiSettings = { ...DEFAULT_LOCAL_API_SETTINGS, ...initial };
  return {
    load: async () => ({ settings, issues: [], trouble: null }),
    save: async (saved) => void (settings = saved),
  };
}
