import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import type { ListedServer } from "../records.ts";
import type { ServerStore } from "../store.ts";
import { WordIndex } from "./word-index.ts";
import type { Hit } from "./word-index.ts";

export type { Hit } from "./word-index.ts";

/** Where a search continues: behind this hit, or behind its score where the hit itself is gone. */
export const hitPosition = z.tuple([z.string(), z.number()]);

/** As many servers as are read and indexed in a few milliseconds. */
const BATCH = 50;

/**
 * DI2: the words of all public servers, in memory. Events only say which server changed; its words are read from the
 * store when somebody searches next, so that neither the order nor the repetition of events can leave the index wrong,
 * and a burst of them costs one read.
 */
export class SearchIndex {
  readonly #servers: Pick<ServerStore, "findMany" | "listPublic">;
  readonly #changed = new Set<string>();
  readonly #words = new WordIndex();
  #isStale = true;
  #reading: Promise<void> = Promise.resolve();
  #turns: Promise<void> = Promise.resolve();

  constructor(servers: Pick<ServerStore, "findMany" | "listPublic">) {
    this.#servers = servers;
  }

  /** The words of every public server; done by the first search where it was not done before. */
  load(): Promise<void> {
    return this.#upToDate();
  }

  /** The server was made, changed or deleted, or its members became more or fewer. */
  changed(serverId: string): void {
    this.#changed.add(serverId);
  }

  /** Changes may have been missed: the next search reads all servers again. */
  forget(): void {
    this.#isStale = true;
  }

  /**
   * Best first. Whoever shows a hit reads the server again: it may have become private a moment ago. One search runs in
   * each turn of the event loop, so that many of them delay nobody else.
   */
  async find(query: string): Promise<Hit[]> {
    await this.#upToDate();
    this.#turns = this.#turns.then(() => setImmediate());
    await this.#turns;
    return this.#words.find(query);
  }

  /** One reading at a time: the results of two could overtake each other. */
  #upToDate(): Promise<void> {
    this.#reading = this.#reading.catch(() => undefined).then(() => this.#read());
    return this.#reading;
  }

  async #read(): Promise<void> {
    if (this.#isStale) await this.#readAnew();
    while (this.#changed.size > 0) {
      await this.#readChanged([...this.#changed].slice(0, BATCH));
      if (this.#changed.size > 0) await setImmediate();
    }
  }

  async #readAnew(): Promise<void> {
    this.#isStale = false;
    this.#words.clear();
    try {
      await this.#readAll();
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
  }

  async #readAll(): Promise<void> {
    let after: readonly [number, string] | null = null;
    for (;;) {
      const servers: ListedServer[] = await this.#servers.listPublic({
        after: after && [...after],
        limit: BATCH,
      });
      for (const server of servers) this.#words.put(server);
      const last = servers.at(-1);
      if (last === undefined || servers.length < BATCH) return;
      after = [last.createdAt, last.id];
      await setImmediate();
    }
  }

  async #readChanged(ids: readonly string[]): Promise<void> {
    // Unmarked before the read: an event that comes during it may tell of a later write, and marks the server again.
    for (const id of ids) this.#changed.delete(id);
    try {
      const servers = new Map((await this.#servers.findMany(ids)).map((server) => [server.id, server]));
      for (const id of ids) {
        const server = servers.get(id);
        if (server?.visibility === "public") this.#words.put(server);
        else this.#words.remove(id);
      }
    } catch (error) {
      for (const id of ids) this.#changed.add(id);
      throw error;
    }
  }
}

/** The hits behind a position; inserts and deletions meanwhile move nothing across it. */
export function behind(
  hits: readonly Hit[],
  position: readonly [id: string, score: number] | null,
): readonly Hit[] {
  if (position === null) return hits;
  const [id, score] = position;
  const index = hits.findIndex((hit) => hit.id === id);
  return index >= 0 ? hits.slice(index + 1) : hits.filter((hit) => hit.score < score);
}
