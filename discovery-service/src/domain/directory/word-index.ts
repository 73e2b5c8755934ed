import SearchableMap from "minisearch/SearchableMap";
import type { ListedServer } from "../records.ts";
import { misspellingsOf, wordsOf } from "./word-forms.ts";

export interface Hit {
  readonly id: string;
  readonly score: number;
}

interface Entry {
  readonly id: string;
  readonly version: number;
  memberCount: number;
  /** The weight of each word, by the field that it stands in. */
  readonly weights: ReadonlyMap<string, number>;
}

/** The indexed words that a word of the query matches, with the value of each match. */
type Matches = ReadonlyMap<string, number>;

const WEIGHTS = { name: 4, tags: 2, description: 1 } as const;
const CLOSENESS = { same: 1, prefix: 0.6, misspelling: 0.4 } as const;
/** AB3: they limit the memory of a server and the work of a search. */
const MAX_WORDS = { name: 32, tags: 32, description: 64 } as const;
const MAX_QUERY_WORDS = 8;
const MAX_MATCHES = 512;
const MAX_CANDIDATES = 1_024;
const MAX_STEPS = 12_000;

/** Among equal matches, the server with more members comes first. */
const popularity = ({ memberCount }: Entry): number => 1 + Math.log10(1 + memberCount) / 20;

/** Equal scores have the same order on every replica. */
const byScore = (a: Hit, b: Hit): number => b.score - a.score || (a.id < b.id ? -1 : 1);

function weightsOf({ name, description, tags }: ListedServer): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const word of wordsOf(description, MAX_WORDS.description)) weights.set(word, WEIGHTS.description);
  for (const word of wordsOf(tags.join(" "), MAX_WORDS.tags)) weights.set(word, WEIGHTS.tags);
  for (const word of wordsOf(name, MAX_WORDS.name)) weights.set(word, WEIGHTS.name);
  return weights;
}

/**
 * The words of servers, in memory. A search visits a limited number of words and servers, whatever the query and however
 * many servers there are. So it finds only some of the servers that share a very common word.
 */
export interface WordIndex {
  put(server: ListedServer): void;
  remove(id: string): void;
  clear(): void;
  /** The best hits first: servers with all words of the query or, if there are none, servers with any. */
  find(query: string): Hit[];
}

export function createWordIndex(): WordIndex {
  const entries = new Map<string, Entry>();
  const postings = createPostings();

  const remove = (id: string): void => {
    const entry = entries.get(id);
    if (!entry) return;
    entries.delete(id);
    postings.remove(entry);
  };

  return {
    put: (server) => {
      const { id, version, memberCount } = server;
      const known = entries.get(id);
      if (known?.version === version) {
        known.memberCount = memberCount;
        return;
      }
      remove(id);
      const entry: Entry = { id, version, memberCount, weights: weightsOf(server) };
      entries.set(id, entry);
      postings.add(entry);
    },
    remove,
    clear: () => {
      entries.clear();
      postings.clear();
    },
    find: (query) => {
      const words = wordsOf(query, MAX_QUERY_WORDS);
      if (words.length === 0) return [];
      const share = Math.floor(MAX_MATCHES / words.length);
      const matches = words.map((word) => matchesOf(postings, word, entries.size, share));
      const rarestFirst = matches.toSorted((a, b) => serverCount(postings, a) - serverCount(postings, b));
      const [rarest = new Map<string, number>()] = rarestFirst;
      const all = scored(candidates(postings, [rarest]), rarestFirst, true);
      const hits = all.length > 0 ? all : scored(candidates(postings, matches), matches, false);
      return hits.toSorted(byScore);
    },
  };
}

/** The servers that have each word. */
interface Postings {
  add(entry: Entry): void;
  remove(entry: Entry): void;
  clear(): void;
  of(word: string): ReadonlySet<Entry> | undefined;
  startingWith(prefix: string): Iterable<string>;
}

function createPostings(): Postings {
  const postings = new Map<string, Set<Entry>>();
  const words = new SearchableMap<true>();

  const post = (word: string, entry: Entry): void => {
    const posting = postings.get(word);
    if (posting) {
      posting.add(entry);
      return;
    }
    postings.set(word, new Set([entry]));
    words.set(word, true);
  };

  return {
    add: (entry) => {
      for (const word of entry.weights.keys()) post(word, entry);
    },
    remove: (entry) => {
      for (const word of entry.weights.keys()) {
        const posting = postings.get(word);
        posting?.delete(entry);
        if (posting?.size !== 0) continue;
        postings.delete(word);
        words.delete(word);
      }
    },
    clear: () => {
      postings.clear();
      words.clear();
    },
    of: (word) => postings.get(word),
    startingWith: (prefix) => words.atPrefix(prefix).keys(),
  };
}

/** The indexed words that a word of the query matches, at most `limit` of the longer ones. */
function matchesOf(postings: Postings, word: string, serverTotal: number, limit: number): Matches {
  const matches = new Map<string, number>();
  const add = (other: string, closeness: number): void => {
    const servers = postings.of(other)?.size;
    if (servers === undefined) return;
    // A match of a rare word is worth more.
    const value = closeness * Math.log2(2 + serverTotal / servers);
    if (value > (matches.get(other) ?? 0)) matches.set(other, value);
  };
  for (const misspelling of misspellingsOf(word)) add(misspelling, CLOSENESS.misspelling);
  add(word, CLOSENESS.same);
  for (const longer of postings.startingWith(word)) {
    if (matches.size >= limit) break;
    if (longer !== word) add(longer, (CLOSENESS.prefix * (1 + word.length / longer.length)) / 2);
  }
  return matches;
}

/** How many servers the matches lead to, counted up to the number of candidates. */
function serverCount(postings: Postings, matches: Matches): number {
  let count = 0;
  for (const word of matches.keys()) {
    count += postings.of(word)?.size ?? 0;
    if (count >= MAX_CANDIDATES) break;
  }
  return count;
}

/** Each word of the query contributes its share of candidates. */
function candidates(postings: Postings, matches: readonly Matches[]): ReadonlySet<Entry> {
  const found = new Set<Entry>();
  const share = Math.ceil(MAX_CANDIDATES / matches.length);
  for (const some of matches) {
    let left = share;
    for (const word of some.keys()) {
      for (const entry of postings.of(word) ?? []) {
        if ((left -= 1) < 0) break;
        found.add(entry);
      }
      if (left < 0) break;
    }
  }
  return found;
}

function scored(entries: ReadonlySet<Entry>, matches: readonly Matches[], needsAll: boolean): Hit[] {
  const hits: Hit[] = [];
  let left = MAX_STEPS;
  for (const entry of entries) {
    let score = 0;
    let matched = 0;
    for (const some of matches) {
      left -= Math.min(some.size, entry.weights.size);
      const best = bestMatch(entry, some);
      score += best;
      if (best > 0) matched += 1;
      else if (needsAll) break;
    }
    const isHit = needsAll ? matched === matches.length : matched > 0;
    if (isHit) hits.push({ id: entry.id, score: score * popularity(entry) });
    if (left < 0) break;
  }
  return hits;
}

/** How well one word of the query fits the server. */
function bestMatch({ weights }: Entry, matches: Matches): number {
  let best = 0;
  const [fewer, more] = matches.size < weights.size ? [matches, weights] : [weights, matches];
  for (const [word, value] of fewer) {
    const other = more.get(word);
    if (other !== undefined) best = Math.max(best, value * other);
  }
  return best;
}
