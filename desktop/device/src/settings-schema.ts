import { z } from "zod";
import type { SettingIssue } from "./local-api-settings.ts";
import { DEFAULT_LOCAL_API_SETTINGS, portSchema } from "./local-api-settings.ts";
import type { LocalApiSettings } from "./local-api-settings.ts";
import { serverUrlSchema } from "./server-url.ts";

const MAX_SERVERS = 100;

const onOrOff = z.boolean("This must be true or false.");

const shape = {
  enabled: onOrOff,
  port: portSchema,
  exposeOnLan: onOrOff,
  referenceDocsEnabled: onOrOff,
  staticDocsEnabled: onOrOff,
  allowedSignalingServers: z
    .array(serverUrlSchema, "This must be a list of addresses.")
    .max(MAX_SERVERS, `At most ${MAX_SERVERS} servers can be allowed.`)
    .transform((urls) => [...new Set(urls)]),
} satisfies { readonly [Name in keyof LocalApiSettings]: z.ZodType<LocalApiSettings[Name]> };

/** Complete settings of interface 2.6, with normalised URLs without duplicates. */
export const settingsSchema: z.ZodType<LocalApiSettings> = z.strictObject(shape);

const isSetting = (name: string): name is keyof LocalApiSettings => Object.hasOwn(shape, name);

function issuesOf(issue: z.core.$ZodIssue): readonly SettingIssue[] {
  const path = issue.path.map(String);
  if (issue.code !== "unrecognized_keys") return [{ path: path.join("."), message: issue.message }];
  return issue.keys.map((key) => ({ path: [...path, key].join("."), message: "There is no such setting." }));
}

const settingIssues = (error: z.ZodError): readonly SettingIssue[] => error.issues.flatMap(issuesOf);

export type CheckedSettings =
  | { readonly ok: true; readonly settings: LocalApiSettings }
  | { readonly ok: false; readonly issues: readonly SettingIssue[] };

/** The changed settings, or all problems. */
export function changedSettings(settings: LocalApiSettings, change: unknown): CheckedSettings {
  if (typeof change !== "object" || change === null || Array.isArray(change)) {
    return { ok: false, issues: [{ path: "", message: "A change must be an object of settings." }] };
  }
  const checked = settingsSchema.safeParse({ ...settings, ...change });
  if (!checked.success) return { ok: false, issues: settingIssues(checked.error) };
  return { ok: true, settings: checked.data };
}

/** The content of a stored file: usable, refused and unknown settings. */
export interface StoredSettings {
  readonly settings: LocalApiSettings;
  readonly issues: readonly SettingIssue[];
  readonly unknown: Readonly<Record<string, unknown>>;
}

/**
 * Reads settings one by one, with defaults for missing ones. Malformed values are named and never guessed; the server
 * then stays off.
 */
export function storedSettings(record: Readonly<Record<string, unknown>>): StoredSettings {
  const entries = Object.entries(record);
  const issues: SettingIssue[] = [];
  let settings = DEFAULT_LOCAL_API_SETTINGS;
  for (const [name, value] of entries.filter(([key]) => isSetting(key))) {
    const changed = changedSettings(settings, { [name]: value });
    if (changed.ok) settings = changed.settings;
    else issues.push(...changed.issues);
  }
  return {
    settings: issues.length === 0 ? settings : { ...settings, enabled: false },
    issues,
    unknown: Object.fromEntries(entries.filter(([key]) => !isSetting(key))),
  };
}
