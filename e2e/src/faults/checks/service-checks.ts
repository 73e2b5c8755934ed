import { type Entry, entriesOf } from "../ledger.ts";
import type { Story } from "./story.ts";
import type { Violation } from "./violation.ts";

const WHOLE_MS = 10_000;

/** I1: every acknowledged write exists afterwards. */
export const lostMutations = ({ entries }: Story): Violation[] => {
  const kept = new Set(entriesOf(entries, "kept").map(({ mutation }) => mutation));
  return entriesOf(entries, "accepted")
    .filter(({ mutation }) => !kept.has(mutation))
    .map(({ mutation }) => ({ invariant: "I1", what: `${mutation} was accepted and is not there` }));
};

/** GW5: every response arrives within 5 s, plus an allowance for a slow machine. */
const ANSWER_MS = 6_000;

/** GW5, ER6: failures are reported in time and never as an internal error. */
export const badAnswers = ({ entries }: Story): Violation[] =>
  entriesOf(entries, "answered").flatMap(({ request, status, code, tookMs }) => [
    ...(tookMs > ANSWER_MS ? [{ invariant: "GW5", what: `${request} took ${Math.round(tookMs)} ms` }] : []),
    ...(status === 500 || status === 400
      ? [{ invariant: "ER6", what: `${request} answered ${status} ${code}` }]
      : []),
  ]);

/** Requests that failed although they were valid. */
export const failedRequests = (entries: readonly Entry[]): readonly string[] =>
  entriesOf(entries, "answered")
    .filter(({ status }) => status === 0 || status >= 500)
    .map(({ request, status, code }) => `${request} answered ${status} ${code}`);

/** I16: no request fails outside of faults. */
export const unsteadiness = ({ entries, faulty }: Story): Violation[] => {
  const steady = entries.filter(
    (entry) => entry.kind === "answered" && !faulty(entry.at - entry.tookMs, entry.at),
  );
  return failedRequests(steady).map((what) => ({ invariant: "I16", what: `${what} without a fault` }));
};

/** I12: no process ends on its own. */
export const deaths = ({ entries }: Story): Violation[] =>
  entriesOf(entries, "exited")
    .filter(({ asked }) => !asked)
    .map(({ process, outcome }) => ({ invariant: "I12", what: `${process} ended with ${outcome}` }));

/** I13: no secret and no message text is written anywhere. */
export const leaks = ({ entries }: Story): Violation[] =>
  entriesOf(entries, "leaked").map(({ where, what }) => ({ invariant: "I13", what: `${what} in ${where}` }));

/** I16: everything works again soon after the fault has ended. */
export const recovery = ({ entries }: Story): Violation[] =>
  entriesOf(entries, "returned").flatMap(({ name, at }) => {
    const whole = entriesOf(entries, "whole").find((entry) => entry.name === name && entry.at >= at);
    if (!whole) return [{ invariant: "I16", what: `never whole after ${name}` }];
    const took = Math.round(whole.at - at);
    return took > WHOLE_MS ? [{ invariant: "I16", what: `whole ${took} ms after ${name}` }] : [];
  });

/** A server lists exactly the users that are in it. */
export const ghosts = ({ entries }: Story): Violation[] =>
  entriesOf(entries, "occupants").flatMap(({ room, users, expected }) => [
    ...users
      .filter((user) => !expected.includes(user))
      .map((user) => ({ invariant: "ghost", what: `${user} is not in ${room}` })),
    ...expected
      .filter((user) => !users.includes(user))
      .map((user) => ({ invariant: "ghost", what: `${user} is missing from ${room}` })),
    ...(new Set(users).size < users.length
      ? [{ invariant: "ghost", what: `somebody is twice in ${room}` }]
      : []),
  ]);

/** I7: each fence has one owner, fences never decrease, and all devices of a user finally agree on the owner. */
export const voiceOwners = ({ entries, lives, disturbed }: Story): Violation[] => {
  const told: Violation[] = [];
  const owners = new Map<string, string>();
  const latest = new Map<
    string,
    { readonly owner: string | null; readonly fence: number; readonly at: number }
  >();
  for (const { connection, owner, fence, at } of entriesOf(entries, "voice")) {
    const user = lives.get(connection)?.user ?? "";
    const known = owners.get(`${user} ${fence}`) ?? owner;
    if (owner !== null && known !== owner)
      told.push({ invariant: "I7", what: `two owners of ${user} with the fence ${fence}` });
    if (owner !== null) owners.set(`${user} ${fence}`, owner);
    if (fence >= (latest.get(connection)?.fence ?? 0)) latest.set(connection, { owner, fence, at });
    else told.push({ invariant: "I7", what: `an older fence came to ${connection} after a newer one` });
  }
  for (const [connection, { fence, at }] of latest) {
    const user = lives.get(connection)?.user;
    const newest = [...latest].filter(([other]) => lives.get(other)?.user === user);
    const last = newest.reduce((one, each) => (each[1].fence > one[1].fence ? each : one));
    const isOpen = lives.get(connection)?.until === Infinity;
    if (isOpen && fence < last[1].fence && !disturbed("voice", { from: at, until: last[1].at }))
      told.push({ invariant: "I7", what: `${connection} missed the owner that ${last[0]} knows of` });
  }
  return told;
};
