import { z } from "zod";
import { createStore } from "zustand/vanilla";
import type { Platform } from "../ports.ts";
import type { Preferences, PreferencesState } from "./preferences.ts";

const KEY = "app.preferences";

const defaults: PreferencesState = {
  theme: "system",
  density: "comfortable",
  tellsTyping: true,
  notify: "all",
  sound: true,
  mutedServers: [],
  enterSends: true,
  keepAtMost: 2_000_000_000,
};

/** Each setting is parsed alone, so that a malformed one does not affect the others. */
const schema = z.object({
  theme: z.enum(["system", "light", "dark"]).catch(defaults.theme),
  density: z.enum(["comfortable", "compact"]).catch(defaults.density),
  tellsTyping: z.boolean().catch(defaults.tellsTyping),
  notify: z.enum(["all", "mentions", "nothing"]).catch(defaults.notify),
  sound: z.boolean().catch(defaults.sound),
  mutedServers: z
    .array(z.string().max(2_048))
    .max(1_000)
    .transform((urls) => [...new Set(urls)])
    .catch([]),
  enterSends: z.boolean().catch(defaults.enterSends),
  keepAtMost: z.int().min(1).nullable().catch(defaults.keepAtMost),
}) satisfies z.ZodType<PreferencesState>;

function stored({ local }: Platform): PreferencesState {
  try {
    const parsed = schema.safeParse(JSON.parse(local.get(KEY) ?? "{}"));
    return parsed.success ? parsed.data : defaults;
  } catch {
    return defaults;
  }
}

/** Kept in local storage and synced between tabs; in memory if storing fails. */
export function createPreferences(platform: Platform): Preferences {
  const state = createStore<PreferencesState>(() => stored(platform));
  platform.onLocalChange((key) => {
    if (key === KEY || key === null) state.setState(stored(platform), true);
  });
  return {
    state,
    change(changes) {
      const next = schema.parse({ ...state.getState(), ...changes });
      state.setState(next, true);
      try {
        platform.local.set(KEY, JSON.stringify(next));
      } catch {
        // Full or forbidden: the setting applies all the same.
      }
    },
  };
}
