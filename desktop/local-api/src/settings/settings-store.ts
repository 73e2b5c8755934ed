import type { SettingIssue } from "@hearth/device";
import { DEFAULT_LOCAL_API_SETTINGS } from "@hearth/device";
import type { LocalApiSettings } from "@hearth/device";

/** What was found where the settings are kept. */
export interface LoadedSettings {
  /** Always usable; `enabled` is false where something was refused. */
  readonly settings: LocalApiSettings;
  /** Values that were refused, by name. */
  readonly issues: readonly SettingIssue[];
  /** A sentence for people about what went wrong while reading; `null` when nothing did. */
  readonly trouble: string | null;
}

/** Where the settings are kept from one run to the next. */
export interface SettingsStore {
  load(): Promise<LoadedSettings>;
  /** Rejects with a `ProblemError` `UNAVAILABLE` when they cannot be kept; what was there then stays. */
  save(settings: LocalApiSettings): Promise<void>;
}

/** Settings that last as long as the process, such as those of a command line. */
export function createMemorySettings(initial: Partial<LocalApiSettings> = {}): SettingsStore {
  let settings: LocalApiSettings = { ...DEFAULT_LOCAL_API_SETTINGS, ...initial };
  return {
    load: async () => ({ settings, issues: [], trouble: null }),
    save: async (saved) => void (settings = saved),
  };
}
