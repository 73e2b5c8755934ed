import { entriesOf } from "../ledger.ts";
import type { Life, Story } from "./story.ts";
import type { Violation } from "./violation.ts";

/** Messages that a connection may get before it has identified. */
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

/** I2: a connection that has not identified gets only its own rejection. */
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

/** I5: no valid session is reported as invalid. */
export const falseRefusals = (story: Story): Violation[] => {
  const ends = new Set(endsOf(story).keys());
  for (const { session } of entriesOf(story.entries, "doubtful")) ends.add(session);
  return entriesOf(story.entries, "refused").flatMap(({ session, code, where }) =>
    session === null || ends.has(session)
      ? []
      : [{ invariant: "I5", what: `${code} for the valid session ${session} at ${where}` }],
  );
};

/** I4: one second after a session has ended, none of its connections is open or receives anything. */
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

/** I15: requests that need a session fail without one. */
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

/** I6: a device keeps exactly one connection, apart from the time to supersede the other. */
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
