import { z } from "zod";
import { normaliseServerUrl } from "@hearth/device";
import type { KeyValues } from "../ports.ts";
import { ClientProblem } from "@hearth/device";
import type { SessionEnd, StoredCredential } from "./accounts.ts";

/** The keys of interface 2.7; the last two are our own. */
export const KEY = {
  tokens: "app.authTokens",
  credentials: "app.signalServerCredentials",
  currentUserId: "app_currentUserId",
  homeUrl: "homeSignalServerUrl",
  servers: "app.signalServers",
  sessionEnd: "app.sessionEnd",
} as const;

const credential = z.object({
  userId: z.string().min(1),
  username: z.string().min(1),
  displayName: z.string(),
  token: z.string().min(1),
  expiresAt: z.number(),
  autoProvisioned: z.boolean().catch(false),
}) satisfies z.ZodType<StoredCredential>;

const failure = z.enum(["unknown", "expired", "revoked", "mismatch", "missing", "refused"]);

const knownInstance = z.object({
  url: z.string(),
  account: credential.omit({ token: true }).nullable().catch(null),
  failure: failure.nullable().catch(null),
  isNewlyProvisioned: z.boolean().catch(false),
  isSignedOut: z.boolean().catch(false),
  /** Removed from the list; only the user can add it again. */
  isForgotten: z.boolean().catch(false),
});

const sessionEnd = z.object({
  signalServerUrl: z.string(),
  username: z.string(),
  reason: failure.exclude(["refused"]),
}) satisfies z.ZodType<SessionEnd>;

/** A listed instance, with the last account that was signed in there. */
export type KnownInstance = Readonly<z.output<typeof knownInstance>>;

/** Everything that is stored about accounts, without malformed entries. */
export interface StoredAccounts {
  readonly homeUrl: string | null;
  /** `null` after signing out; then a missing token is not reported. */
  readonly currentUserId: string | null;
  readonly credentials: ReadonlyMap<string, StoredCredential>;
  /** In the order of the rail. */
  readonly instances: readonly KnownInstance[];
  readonly ended: SessionEnd | null;
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

const urlOf = (text: string | null): string | null => {
  const server = text === null ? null : normaliseServerUrl(text);
  return server?.ok === true ? server.url : null;
};

function credentialsOf(value: unknown): ReadonlyMap<string, StoredCredential> {
  const found = new Map<string, StoredCredential>();
  if (typeof value !== "object" || value === null) return found;
  for (const [key, entry] of Object.entries(value)) {
    const url = urlOf(key);
    const checked = credential.safeParse(entry);
    if (url !== null && checked.success) found.set(url, checked.data);
  }
  return found;
}

function instancesOf(value: unknown): readonly KnownInstance[] {
  const found = new Map<string, KnownInstance>();
  for (const entry of Array.isArray(value) ? (value as unknown[]) : []) {
    const checked = knownInstance.safeParse(entry);
    const url = checked.success ? urlOf(checked.data.url) : null;
    if (checked.success && url !== null && !found.has(url)) found.set(url, { ...checked.data, url });
  }
  return [...found.values()];
}

function readAll(local: KeyValues): StoredAccounts {
  const ended = sessionEnd.safeParse(parsed(local.get(KEY.sessionEnd)));
  return {
    homeUrl: urlOf(local.get(KEY.homeUrl)),
    currentUserId: local.get(KEY.currentUserId),
    credentials: credentialsOf(parsed(local.get(KEY.credentials))),
    instances: instancesOf(parsed(local.get(KEY.servers))),
    ended: ended.success ? ended.data : null,
  };
}

const recordOf = <Value>(map: ReadonlyMap<string, Value>): Record<string, Value> => Object.fromEntries(map);

function textsOf({
  homeUrl,
  currentUserId,
  credentials,
  instances,
  ended,
}: StoredAccounts): Record<string, string | null> {
  const tokens = new Map([...credentials].map(([url, { token }]) => [url, token]));
  return {
    [KEY.homeUrl]: homeUrl,
    [KEY.currentUserId]: currentUserId,
    [KEY.tokens]: tokens.size === 0 ? null : JSON.stringify(recordOf(tokens)),
    [KEY.credentials]: credentials.size === 0 ? null : JSON.stringify(recordOf(credentials)),
    [KEY.servers]: instances.length === 0 ? null : JSON.stringify(instances),
    [KEY.sessionEnd]: ended === null ? null : JSON.stringify(ended),
  };
}

/** The stored accounts (interface 2.7), in the local storage that all tabs of a browser share. */
export interface Credentials {
  readonly read: () => StoredAccounts;
  /**
   * Changes the current content, whichever tab wrote it, so that no stale state is written back. Throws
   * `STORAGE_FULL` if it does not fit, and restores the previous content.
   */
  change(change: (stored: StoredAccounts) => Partial<StoredAccounts>): StoredAccounts;
}

const KEYS: readonly string[] = Object.values(KEY);

export const isAccountKey = (key: string | null): boolean => key === null || KEYS.includes(key);

function writeAll(local: KeyValues, texts: Readonly<Record<string, string | null>>): void {
  for (const [key, text] of Object.entries(texts)) {
    if (text === local.get(key)) continue;
    if (text === null) local.remove(key);
    else local.set(key, text);
  }
}

export function createCredentials(local: KeyValues): Credentials {
  return {
    read: () => readAll(local),
    change(change) {
      const before = Object.fromEntries(KEYS.map((key) => [key, local.get(key)]));
      const stored = readAll(local);
      try {
        writeAll(local, textsOf({ ...stored, ...change(stored) }));
      } catch (error) {
        writeAll(local, before);
        const message = "This device takes no more data for this page";
        throw new ClientProblem("STORAGE_FULL", { message }, error);
      }
      return readAll(local);
    },
  };
}
