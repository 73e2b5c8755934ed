import { entriesOf } from "../ledger.ts";
import type { Life, Story } from "./story.ts";
import type { Violation } from "./violation.ts";

/** What a connection may be told before it has identified. */
const BEFORE_IDENTIFIED: ReadonlySet<string> = new Set([
  "error",
  "auth_error",
  "auth_required",
  "server_draining",
  "closing",
  "pong",
  "identified",
  "superseded",
]);
const SUPERSEDED = 4503;
const END_MS = 1_000;
const TUPLE_MS = 2_000;

/** I2: nothing but its own rejection reaches a connection that has not identified. */
export const strangers = ({ entries, lives }: Story): Violation[] =>
  entriesOf(entries, "heard").flatMap(({ connection, type, at }) => {
    const life = lives.get(connection);
    const known = life !== undefined && life.identifiedAt <= at;
    return known || BEFORE_IDENTIFIED.has(type)
      ? []
      : [{ invariant: "I2", what: `${type} to ${connection}, which has not identified` }];
  });

const endsOf = ({ entries }: Story): ReadonlyMap<string, number> =>
  new Map(entriesOf(entries, "ended").map(({ session, at }) => [session, at]));

/** I5: nobody with a session in force is told that it is not. */
export const falseRefusals = (story: Story): Violation[] => {
  const ends = new Set(endsOf(story).keys());
  for (const { session } of entriesOf(story.entries, "doubtful")) ends.add(session);
  return entriesOf(story.entries, "refused").flatMap(({ session, code, where }) =>
    session === null || ends.has(session)
      ? []
      : [{ invariant: "I5", what: `${code} for the valid session ${session} at ${where}` }],
  );
};

/** I4: a second after a session has ended, no connection of it is left and nothing reaches one. */
export const endedSessions = (story: Story): Violation[] => {
  const violations: Violation[] = [];
  for (const [session, at] of endsOf(story)) {
    for (const life of story.lives.values()) {
      if (life.session !== session || life.identifiedAt === Infinity) continue;
      const limit = at + END_MS;
      const open = life.from < limit && life.until > limit;
      if (open && !story.disturbed("tuples", { from: at, until: limit }))
        violations.push({ invariant: "I4", what: `${life.connection} outlived its session ${session}` });
      if (life.identifiedAt > limit)
        violations.push({ invariant: "I4", what: `${life.connection} identified with ${session}, ended` });
    }
  }
  return violations;
};

/** I15: what needs a session is not served without one. */
export const openDoors = (story: Story): Violation[] => {
  const ends = endsOf(story);
  return entriesOf(story.entries, "answered").flatMap(({ request, status, session, at, tookMs }) => {
    if (session === null || status === 0 || status >= 300) return [];
    const endedAt = session === "none" ? -Infinity : ends.get(session);
    return endedAt !== undefined && at - tookMs > endedAt
      ? [{ invariant: "I15", what: `${request} answered ${status} to the session ${session}` }]
      : [];
  });
};

/** I6: of the connections of one device at most one is live for longer than it takes to tell, and one survives. */
export const tuples = ({ lives, disturbed }: Story): Violation[] => {
  const devices = new Map<string, Life[]>();
  for (const life of lives.values()) {
    if (life.identifiedAt === Infinity) continue;
    devices.set(life.device, [...(devices.get(life.device) ?? []), life]);
  }
  return [...devices].flatMap(([device, all]) => {
    const told: Violation[] = [];
    for (const [place, life] of all.entries()) {
      for (const other of all.slice(place + 1)) {
        const from = Math.max(life.identifiedAt, other.identifiedAt);
        const until = Math.min(life.until, other.until);
        if (until - from > TUPLE_MS && !disturbed("tuples", { from, until: from + TUPLE_MS }))
          told.push({ invariant: "I6", what: `${life.connection} and ${other.connection} are both live` });
      }
    }
    if (all.every(({ closeCode }) => closeCode === SUPERSEDED))
      told.push({ invariant: "I6", what: `no connection of ${device} survived` });
    return told;
  });
};
