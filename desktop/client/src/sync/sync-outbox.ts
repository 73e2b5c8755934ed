import { createStore } from "zustand/vanilla";
import type { ClientStore } from "@hearth/store";
import type { Readable } from "../observable.ts";
import type { Platform } from "../ports.ts";
import { ClientProblem } from "@hearth/device";
import type { SyncPayload } from "@hearth/contracts";
import { withoutOwnPaths } from "./local-paths.ts";

const PREFIX = "sync-queue:";

/** Beyond this the oldest payloads are dropped. The next snapshot contains their records. */
const MAX_ENTRIES = 2_000;

/** A later payload with the same key replaces this one; `null` if every one counts. */
export function coalescingKey(payload: SyncPayload): string | null {
  const key = (...parts: readonly unknown[]): string => JSON.stringify([payload.type, ...parts]);
  const inside = (name: string): Readonly<Record<string, unknown>> => {
    const value = payload[name];
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  };
  switch (payload.type) {
    case "read-position":
      return key(payload["roomId"], payload["channelId"]);
    case "saved-room-sync":
      return key(inside("room")["id"]);
    case "saved-room-remove":
      return key(payload["roomId"]);
    case "friend-added":
      return key(inside("friend")["userId"]);
    case "blocks-changed":
      return key(payload["signalServerUrl"]);
    case "friend-removed":
      return key(payload["userId"]);
    case "custom-emoji-removed":
      return key(payload["id"]);
    case "user-avatar-full":
      return key();
    case "custom-emoji-full": {
      const { emoji } = payload;
      return Array.isArray(emoji) ? key(emoji.map((one: { readonly id?: unknown }) => one.id)) : null;
    }
    case "message-reaction": {
      const { messageId, emoji, userId } = inside("change");
      return key(messageId, emoji, userId);
    }
    default:
      return null;
  }
}

export type Send = (payload: SyncPayload) => Promise<void>;

interface Entry {
  readonly key: string;
  readonly payload: SyncPayload;
}

/**
 * Payloads for the other devices that are not acknowledged yet. They stay in the store until the server has them,
 * also over restarts.
 */
export interface SyncOutbox {
  readonly length: Readable<number>;
  add(payload: SyncPayload): void;
  /**
   * Sends waiting payloads in order, in one tab at a time. Stops at the first failure that may pass and resolves to
   * false. Payloads that are refused for good are dropped.
   */
  flush(send: Send, signal: AbortSignal): Promise<boolean>;
  /** Counts the payloads of earlier runs. */
  start(): Promise<void>;
}

const isPayload = (value: unknown): value is SyncPayload =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

function parsedPayload(text: string): SyncPayload | null {
  try {
    const value = JSON.parse(text) as unknown;
    return isPayload(value) ? value : null;
  } catch {
    return null;
  }
}

/** The server would refuse it again. */
const isFinal = (problem: unknown): boolean =>
  problem instanceof ClientProblem &&
  !problem.retryable &&
  ["INVALID_REQUEST", "PAYLOAD_TOO_LARGE", "FORBIDDEN", "UNKNOWN_TYPE"].includes(problem.code);

/** The entries without replaced ones, and without the oldest beyond the limit. */
export function coalesced(entries: readonly Entry[]): {
  readonly remaining: readonly Entry[];
  readonly redundant: readonly Entry[];
} {
  const last = new Map<string, Entry>();
  for (const entry of entries) {
    const key = coalescingKey(entry.payload);
    if (key !== null) last.set(key, entry);
  }
  const isLast = (entry: Entry): boolean => {
    const key = coalescingKey(entry.payload);
    return key === null || last.get(key) === entry;
  };
  const remaining = entries.filter(isLast).slice(-MAX_ENTRIES);
  const keys = new Set(remaining.map(({ key }) => key));
  return { remaining, redundant: entries.filter(({ key }) => !keys.has(key)) };
}

/** The stored entries in order. Malformed records are removed. */
async function storedEntries(store: ClientStore): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const { key, value } of await store.metaEntries(PREFIX)) {
    const payload = parsedPayload(value);
    if (payload) entries.push({ key, payload });
    else await store.removeMeta(key);
  }
  return entries;
}

async function readCoalesced(store: ClientStore): Promise<readonly Entry[]> {
  const { remaining, redundant } = coalesced(await storedEntries(store));
  for (const { key } of redundant) await store.removeMeta(key);
  return remaining;
}

async function unlessFinal(sent: Promise<void>): Promise<void> {
  try {
    await sent;
  } catch (problem) {
    if (!isFinal(problem)) throw problem;
  }
}

export function createSyncOutbox(platform: Platform, store: ClientStore): SyncOutbox {
  const length = createStore<number>(() => 0);
  const count = (entries: number): void => length.setState(Math.max(0, entries), true);
  /** Writes keep the order of the calls. After a failed write the next snapshot contains the record. */
  let writing: Promise<void> = Promise.resolve();

  const drain = async (send: Send, signal: AbortSignal): Promise<void> => {
    for (let waiting = await readCoalesced(store); waiting.length > 0; waiting = await readCoalesced(store)) {
      count(waiting.length);
      for (const { key, payload } of waiting) {
        signal.throwIfAborted();
        await unlessFinal(send(payload));
        await store.removeMeta(key);
        count(length.getState() - 1);
      }
    }
    count(0);
  };
  return {
    length,
    add(payload) {
      const text = JSON.stringify(withoutOwnPaths(payload));
      const key = `${PREFIX}${platform.newId()}`;
      count(length.getState() + 1);
      writing = writing.then(async () => store.setMeta(key, text)).catch(() => undefined);
    },
    async flush(send, signal) {
      let isEmpty = false;
      const work = async (): Promise<void> => {
        await drain(send, signal);
        isEmpty = true;
      };
      try {
        await writing;
        await platform.tabs.exclusive("sync-queue", work, signal);
      } catch {
        return false;
      }
      return isEmpty;
    },
    start: async () => count((await readCoalesced(store)).length),
  };
}
