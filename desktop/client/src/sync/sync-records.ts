import { wireId, wireTime } from "@hearth/contracts";
import { z } from "zod";
import type { ClientStore } from "@hearth/store";
import type { Platform } from "../ports.ts";

const STORE_KEY = "sync-store";
const KNOWN_KEY = "sync-known";
const IN_STEP_KEY = "sync-in-step";

/** How many stores are remembered; from others everything is requested again. */
const MAX_STORES = 64;

const knownSchema = z.record(wireId, z.object({ upTo: wireTime, at: wireTime }));

type Known = z.output<typeof knownSchema>;

function parsed<Schema extends z.ZodType>(schema: Schema, text: string | undefined): z.output<Schema> | null {
  if (text === undefined) return null;
  try {
    const result = schema.safeParse(JSON.parse(text));
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}

/** The sync state of a store, shared by the tabs of a browser. */
export interface SyncRecords {
  /** The id of this store, created on first use. */
  storeId(): Promise<string>;
  /** Up to which time this store has the data of other stores, each by its own clock. */
  known(): Promise<Readonly<Record<string, number>>>;
  setKnown(storeId: string, upTo: number): Promise<void>;
  lastSyncedAt(): Promise<number | null>;
  setLastSyncedAt(at: number): Promise<void>;
}

export function createSyncRecords(platform: Platform, store: ClientStore): SyncRecords {
  const { tabs } = platform;
  const read = async (): Promise<Known> => parsed(knownSchema, await store.meta(KNOWN_KEY)) ?? {};
  return {
    async storeId() {
      let id = "";
      await tabs.exclusive("sync-records", async () => {
        id = (await store.meta(STORE_KEY)) ?? platform.newId();
        await store.setMeta(STORE_KEY, id);
      });
      return id;
    },
    async known() {
      return Object.fromEntries(Object.entries(await read()).map(([id, { upTo }]) => [id, upTo]));
    },
    async setKnown(storeId, upTo) {
      await tabs.exclusive("sync-records", async () => {
        const all = await read();
        const before = all[storeId]?.upTo ?? 0;
        const next = { ...all, [storeId]: { upTo: Math.max(before, upTo), at: platform.now() } };
        const newest = Object.entries(next)
          .toSorted(([, a], [, b]) => b.at - a.at)
          .slice(0, MAX_STORES);
        await store.setMeta(KNOWN_KEY, JSON.stringify(Object.fromEntries(newest)));
      });
    },
    lastSyncedAt: async () => parsed(wireTime, await store.meta(IN_STEP_KEY)),
    setLastSyncedAt: async (at) => store.setMeta(IN_STEP_KEY, JSON.stringify(at)),
  };
}
