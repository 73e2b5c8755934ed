import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import type { ListedServer } from "../records.ts";
import type { ServerStore } from "../store.ts";
import { createWordIndex } from "./word-index.ts";
import type { Hit, WordIndex } from "./word-index.ts";

export type { Hit } from "./word-index.ts";

/** A search continues after this hit, or after its score if the hit is gone. */
export const hitPosition = z.tuple([z.string(), z.number()]);

/** So many servers are read and indexed within a few milliseconds. */
const BATCH = 50;

/**
 * DI2: the words of all public servers, in memory. An event only marks its server as changed; the next search reads the
 * server from the store. So the index is right whatever the order and repetition of events, and a burst costs one read.
 */
export interface SearchIndex {
  /** Indexes all public servers. Without this call the first search does it. */
  load(): Promise<void>;
  /** The server was created, changed or deleted, or its member count changed. */
  changed(serverId: string): void;
  /** Events may have been missed: the next search reads all servers again. */
  markStale(): void;
  /**
   * The best hits first. The caller reads each server again before it shows it, because the server may have become
   * private. One search runs in each turn of the event loop, so that searches do not delay other work.
   */
  find(query: string): Promise<Hit[]>;
}

type Servers = Pick<ServerStore, "findMany" | "listPublic">;

export function createSearchIndex(servers: Servers): SearchIndex {
  const changed = new Set<string>();
  const words = createWordIndex();
  let isStale = true;
  let reading: Promise<void> = Promise.resolve();
  let turns: Promise<void> = Promise.resolve();

  const readAgain = async (): Promise<void> => {
    isStale = false;
    words.clear();
    try {
      await readAll(servers, words);
    } catch (error) {
      isStale = true;
      throw error;
    }
  };

  const read = async (): Promise<void> => {
    if (isStale) await readAgain();
    while (changed.size > 0) {
      await readChanged(servers, words, changed);
      if (changed.size > 0) await setImmediate();
    }
  };

  /** One read at a time: the results of two could overtake each other. */
  const bringUpToDate = (): Promise<void> => (reading = reading.catch(() => undefined).then(read));

  return {
    load: bringUpToDate,
    changed: (serverId) => void changed.add(serverId),
    markStale: () => {
      isStale = true;
    },
    find: async (query) => {
      await bringUpToDate();
      turns = turns.then(() => setImmediate());
      await turns;
      return words.find(query);
    },
  };
}

async function readAll(servers: Servers, words: WordIndex): Promise<void> {
  let after: readonly [number, string] | null = null;
  for (;;) {
    const batch: ListedServer[] = await servers.listPublic({ after: after && [...after], limit: BATCH });
    for (const server of batch) words.put(server);
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH) return;
    after = [last.createdAt, last.id];
    await setImmediate();
  }
}

/** Reads one batch of the changed servers. */
async function readChanged(servers: Servers, words: WordIndex, changed: Set<string>): Promise<void> {
  const ids = [...changed].slice(0, BATCH);
  // Unmarks before the read: an event during the read may announce a later write, and marks the server again.
  for (const id of ids) changed.delete(id);
  try {
    const found = new Map((await servers.findMany(ids)).map((server) => [server.id, server]));
    for (const id of ids) {
      const server = found.get(id);
      if (server?.visibility === "public") words.put(server);
      else words.remove(id);
    }
  } catch (error) {
    for (const id of ids) changed.add(id);
    throw error;
  }
}

/** The hits after a position, which insertions and deletions between two pages do not shift. */
export function hitsAfter(
  hits: readonly Hit[],
  position: readonly [id: string, score: number] | null,
): readonly Hit[] {
  if (position === null) return hits;
  const [id, score] = position;
  const index = hits.findIndex((hit) => hit.id === id);
  return index >= 0 ? hits.slice(index + 1) : hits.filter((hit) => hit.score < score);
}
