import SearchableMap from "minisearch/SearchableMap";
import { misspellingsOf, wordsOf } from "./word-forms.ts";
import type { ListedServer } from "../records.ts";

export interface Hit {
  readonly id: string;
  readonly score: number;
}

interface Entry {
  readonly id: string;
  readonly version: number;
  memberCount: number;
  /** Of each word of the server, by the field it stands in. */
  readonly weights: ReadonlyMap<string, number>;
}

/** Words of the index that a word of the query stands for, and how much each says. */
type Meanings = ReadonlyMap<string, number>;

const WEIGHTS = { name: 4, tags: 2, description: 1 } as const;
const CLOSENESS = { same: 1, beginning: 0.6, slip: 0.4 } as const;
/** AB3: they bound the memory of a server and the work of a search. */
const MAX_WORDS = { name: 32, tags: 32, description: 64 } as const;
const MAX_QUERY_WORDS = 8;
const MAX_MEANINGS = 512;
const MAX_CANDIDATES = 1_024;
const MAX_STEPS = 12_000;

/** Of two servers that match alike, the one where more people are. */
const popularity = ({ memberCount }: Entry): number => 1 + Math.log10(1 + memberCount) / 20;

/** Like scores in the same order on every replica. */
const byScore = (a: Hit, b: Hit): number => b.score - a.score || (a.id < b.id ? -1 : 1);

function weightsOf({ name, description, tags }: ListedServer): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const word of wordsOf(description, MAX_WORDS.description)) weights.set(word, WEIGHTS.description);
  for (const word of wordsOf(tags.join(" "), MAX_WORDS.tags)) weights.set(word, WEIGHTS.tags);
  for (const word of wordsOf(name, MAX_WORDS.name)) weights.set(word, WEIGHTS.name);
  return weights;
}

/**
 * The words of servers, in memory. A search looks at a bounded number of words and servers, whatever it asks for and
 * however many there are: of a word that very many servers share it finds only some of them.
 */
export class WordIndex {
  readonly #entries = new Map<string, Entry>();
  readonly #postings = new Map<string, Set<Entry>>();
  readonly #words = new SearchableMap<true>();

  put(server: ListedServer): void {
    const { id, version, memberCount } = server;
    const known = this.#entries.get(id);
    if (known?.version === version) {
      known.memberCount = memberCount;
      return;
    }
    this.remove(id);
    const entry: Entry = { id, version, memberCount, weights: weightsOf(server) };
    this.#entries.set(id, entry);
    for (const word of entry.weights.keys()) this.#post(word, entry);
  }

  remove(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    for (const word of entry.weights.keys()) {
      const posting = this.#postings.get(word);
      posting?.delete(entry);
      if (posting?.size !== 0) continue;
      this.#postings.delete(word);
      this.#words.delete(word);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#postings.clear();
    this.#words.clear();
  }

  /** Best first: servers with all words of the query, else those with any. */
  find(query: string): Hit[] {
    const words = wordsOf(query, MAX_QUERY_WORDS);
    if (words.length === 0) return [];
    const share = Math.floor(MAX_MEANINGS / words.length);
    const meanings = words.map((word) => this.#meaningsOf(word, share));
    const rarestFirst = meanings.toSorted((a, b) => this.#reach(a) - this.#reach(b));
    const [rarest = new Map<string, number>()] = rarestFirst;
    const all = this.#scored(this.#candidates([rarest]), rarestFirst, true);
    const hits = all.length > 0 ? all : this.#scored(this.#candidates(meanings), meanings, false);
    return hits.toSorted(byScore);
  }

  #post(word: string, entry: Entry): void {
    const posting = this.#postings.get(word);
    if (posting) {
      posting.add(entry);
      return;
    }
    this.#postings.set(word, new Set([entry]));
    this.#words.set(word, true);
  }

  #meaningsOf(word: string, limit: number): Meanings {
    const meanings = new Map<string, number>();
    const add = (other: string, closeness: number): void => {
      const servers = this.#postings.get(other)?.size;
      if (servers === undefined) return;
      // A word that few servers have says more.
      const value = closeness * Math.log2(2 + this.#entries.size / servers);
      if (value > (meanings.get(other) ?? 0)) meanings.set(other, value);
    };
    for (const slip of misspellingsOf(word)) add(slip, CLOSENESS.slip);
    add(word, CLOSENESS.same);
    for (const longer of this.#words.atPrefix(word).keys()) {
      if (meanings.size >= limit) break;
      if (longer !== word) add(longer, (CLOSENESS.beginning * (1 + word.length / longer.length)) / 2);
    }
    return meanings;
  }

  /** How many servers it may lead to, counted as far as it matters. */
  #reach(meanings: Meanings): number {
    let reach = 0;
    for (const word of meanings.keys()) {
      reach += this.#postings.get(word)?.size ?? 0;
      if (reach >= MAX_CANDIDATES) break;
    }
    return reach;
  }

  /** Each word of the query leads to its share of them. */
  #candidates(meanings: readonly Meanings[]): ReadonlySet<Entry> {
    const candidates = new Set<Entry>();
    const share = Math.ceil(MAX_CANDIDATES / meanings.length);
    for (const some of meanings) {
      let left = share;
      for (const word of some.keys()) {
        for (const entry of this.#postings.get(word) ?? []) {
          if ((left -= 1) < 0) break;
          candidates.add(entry);
        }
        if (left < 0) break;
      }
    }
    return candidates;
  }

  #scored(candidates: ReadonlySet<Entry>, meanings: readonly Meanings[], needsAll: boolean): Hit[] {
    const hits: Hit[] = [];
    let left = MAX_STEPS;
    for (const entry of candidates) {
      let score = 0;
      let matched = 0;
      for (const some of meanings) {
        left -= Math.min(some.size, entry.weights.size);
        const best = this.#match(entry, some);
        score += best;
        if (best > 0) matched += 1;
        else if (needsAll) break;
      }
      const isHit = needsAll ? matched === meanings.length : matched > 0;
      if (isHit) hits.push({ id: entry.id, score: score * popularity(entry) });
      if (left < 0) break;
    }
    return hits;
  }

  /** How well one word of the query fits the server. */
  #match({ weights }: Entry, meanings: Meanings): number {
    let best = 0;
    const [fewer, more] = meanings.size < weights.size ? [meanings, weights] : [weights, meanings];
    for (const [word, value] of fewer) {
      const other = more.get(word);
      if (other !== undefined) best = Math.max(best, value * other);
    }
    return best;
  }
}
