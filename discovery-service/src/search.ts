import MiniSearch from "minisearch";
import { z } from "zod";
import type { ServerRecord, ServerStore } from "./store.ts";

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: string;
  readonly memberCount: number;
}

export interface Hit {
  readonly id: string;
  readonly score: number;
}

/** Where a search continues: behind this hit, or behind its score where the hit itself is gone. */
export const hitPosition = z.tuple([z.string(), z.number()]);

const BATCH = 500;
const MOST_TERMS = 12;
const SEPARATORS = /[\n\r\p{Z}\p{P}]+/u;

/** "Café" is found by "cafe", and by "ＣＡＦＥ". */
const folded = (term: string): string => term.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

const entryOf = ({ id, name, description, tags, memberCount }: ServerRecord): Entry => ({
  id,
  name,
  description,
  tags: tags.join(" "),
  memberCount,
});

/** Like scores in the same order on every replica. */
const byScore = (a: Hit, b: Hit): number => b.score - a.score || (a.id < b.id ? -1 : 1);

/** Two letters swapped, the commonest slip, are two edits; in a short word as many would be another word. */
const toleratedEdits = (term: string): number => (term.length >= 6 ? 2 : term.length >= 4 ? 1 : 0);

/** Of two servers that match alike, the one where more people are. */
const popularity = (_id: string, _term: string, stored?: Record<string, unknown>): number => {
  const members = stored?.["memberCount"];
  return typeof members === "number" ? 1 + Math.log10(1 + members) / 20 : 1;
};

/**
 * DI2: the words of all public servers, in memory. Events only say which server changed; its words are read from the
 * store when somebody searches next, so that neither the order nor the repetition of events can leave the index wrong,
 * and a burst of them costs one read.
 */
export class SearchIndex {
  readonly #servers: Pick<ServerStore, "findMany" | "listPublic">;
  readonly #changed = new Set<string>();
  #isStale = true;
  #reading: Promise<void> = Promise.resolve();
  readonly #words = new MiniSearch<Entry>({
    tokenize: (text) => text.split(SEPARATORS),
    fields: ["name", "description", "tags"],
    storeFields: ["memberCount"],
    processTerm: (term) => folded(term) || null,
    searchOptions: {
      boost: { name: 4, tags: 2 },
      boostDocument: popularity,
      prefix: true,
      fuzzy: toleratedEdits,
    },
  });

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

  /** Best first. Whoever shows a hit reads the server again: it may have become private a moment ago. */
  async find(query: string): Promise<Hit[]> {
    await this.#upToDate();
    const terms = query.split(SEPARATORS).filter(Boolean).slice(0, MOST_TERMS).join(" ");
    const all = this.#words.search(terms, { combineWith: "AND" });
    const hits = all.length > 0 ? all : this.#words.search(terms);
    return hits.map(({ id, score }) => ({ id: String(id), score })).sort(byScore);
  }

  /** One reading at a time: the results of two could overtake each other. */
  #upToDate(): Promise<void> {
    this.#reading = this.#reading.catch(() => undefined).then(() => this.#read());
    return this.#reading;
  }

  async #read(): Promise<void> {
    if (this.#isStale) await this.#readAnew();
    while (this.#changed.size > 0) await this.#readChanged([...this.#changed].slice(0, BATCH));
  }

  async #readAnew(): Promise<void> {
    this.#isStale = false;
    this.#words.removeAll();
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
      const servers: ServerRecord[] = await this.#servers.listPublic({
        after: after && [...after],
        limit: BATCH,
      });
      for (const server of servers) this.#put(server);
      const last = servers.at(-1);
      if (last === undefined || servers.length < BATCH) return;
      after = [last.createdAt, last.id];
    }
  }

  async #readChanged(ids: readonly string[]): Promise<void> {
    // Unmarked before the read: an event that comes during it may tell of a later write, and marks the server again.
    for (const id of ids) this.#changed.delete(id);
    try {
      const servers = new Map((await this.#servers.findMany(ids)).map((server) => [server.id, server]));
      for (const id of ids) {
        const server = servers.get(id);
        if (server?.visibility === "public") this.#put(server);
        else if (this.#words.has(id)) this.#words.discard(id);
      }
    } catch (error) {
      for (const id of ids) this.#changed.add(id);
      throw error;
    }
  }

  #put(server: ServerRecord): void {
    const entry = entryOf(server);
    if (this.#words.has(entry.id)) this.#words.replace(entry);
    else this.#words.add(entry);
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
