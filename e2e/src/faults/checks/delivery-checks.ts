import { type EntryOf, entriesOf } from "../ledger.ts";
import type { Life, Story } from "./story.ts";
import type { Violation } from "./violation.ts";

/** A connection that ends so soon after a message may have been closing already. */
const LEAVING_MS = 3_000;

/**
 * I3: messages of one connection to a server or to its account arrive in order despite faults. A message reported as
 * failed may still arrive, but not after a later one.
 */
export const order = ({ entries, sent }: Story): Violation[] => {
  const places = new Map([...sent.keys()].map((id, place) => [id, place]));
  const latest = new Map<string, number>();
  return entriesOf(entries, "received").flatMap(({ connection, id, traffic }) => {
    const message = sent.get(id);
    const lane = `${connection} from ${message?.connection} ${message?.room ?? traffic}`;
    const place = places.get(id) ?? -1;
    const before = latest.get(lane) ?? -1;
    latest.set(lane, Math.max(before, place));
    return place < before ? [{ invariant: "I3", what: `${id} came late to ${lane}` }] : [];
  });
};

/** I8, I9: no sender gets its own broadcast, and nobody gets one twice. */
export const echoesAndDuplicates = ({ entries, sent }: Story): Violation[] => {
  const seen = new Set<string>();
  return entriesOf(entries, "received").flatMap(({ connection, id, traffic }) => {
    const invariant = traffic === "chat" ? "I8" : "I9";
    const pair = `${id} to ${connection}`;
    const twice = seen.has(pair);
    seen.add(pair);
    return [
      ...(sent.get(id)?.connection === connection ? [{ invariant, what: `${pair}, which sent it` }] : []),
      ...(twice ? [{ invariant, what: `${pair}, twice` }] : []),
    ];
  });
};

/** I9, I10: sender and content are unchanged, and `account_sync` stays within the account. */
export const authorship = ({ entries, sent, lives }: Story): Violation[] =>
  entriesOf(entries, "received").flatMap(({ connection, id, traffic, from, content }) => {
    const message = sent.get(id);
    if (!message) return [{ invariant: "I10", what: `${id} to ${connection}, which nobody sent` }];
    const author = lives.get(message.connection)?.user;
    const reader = lives.get(connection);
    const told: Violation[] = [];
    if (from !== author)
      told.push({ invariant: "I10", what: `${id} to ${connection}, said to be another's` });
    if (content !== message.content) told.push({ invariant: "I9", what: `${id} to ${connection}, changed` });
    if (traffic === "sync" && reader?.user !== author)
      told.push({ invariant: "I9", what: `${id} to ${connection}, another user's` });
    if (traffic === "chat" && !reader?.rooms.has(message.room ?? ""))
      told.push({ invariant: "I8", what: `${id} to ${connection}, which is not in the room` });
    return told;
  });

const isReader = (life: Life, message: EntryOf<"sent">, from: number, until: number): boolean => {
  if (life.connection === message.connection || life.until < until + LEAVING_MS) return false;
  if (message.room === null) return false;
  const stay = life.rooms.get(message.room);
  return stay !== undefined && stay.from < from && stay.until > until + LEAVING_MS;
};

/** I8: an acknowledged message reaches everybody else in the server, unless a fault excuses its loss. */
export const completeness = ({ entries, sent, lives, acknowledgedAt, disturbed }: Story): Violation[] => {
  const heard = new Set(entriesOf(entries, "received").map(({ id, connection }) => `${id} to ${connection}`));
  const missing: Violation[] = [];
  for (const [id, until] of acknowledgedAt) {
    const message = sent.get(id);
    if (message?.traffic !== "chat" || disturbed("chat", { from: message.at, until })) continue;
    for (const life of lives.values()) {
      if (!isReader(life, message, message.at, until) || heard.has(`${id} to ${life.connection}`)) continue;
      missing.push({ invariant: "I8", what: `${id} to ${life.connection}, never` });
    }
  }
  return missing;
};

/** I9: the account's other devices that stay connected get every acknowledged message. */
export const syncCompleteness = ({ entries, sent, lives, acknowledgedAt, disturbed }: Story): Violation[] => {
  const heard = new Set(entriesOf(entries, "received").map(({ id, connection }) => `${id} to ${connection}`));
  const missing: Violation[] = [];
  for (const [id, until] of acknowledgedAt) {
    const message = sent.get(id);
    if (message?.traffic !== "sync" || disturbed("sync", { from: message.at, until })) continue;
    const author = lives.get(message.connection);
    for (const life of lives.values()) {
      if (life.user !== author?.user || life === author) continue;
      if (life.identifiedAt >= message.at || life.until < until + LEAVING_MS) continue;
      if (!heard.has(`${id} to ${life.connection}`))
        missing.push({ invariant: "I9", what: `${id} to ${life.connection}, never` });
    }
  }
  return missing;
};
