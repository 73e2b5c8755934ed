import { newId } from "@hearth/runtime";
import type { ConnectionRecord, Registered, Registration, Roster } from "../cluster/roster/roster.ts";

/** The roster that a factory of the contract provides. */
export interface RosterUnderTest {
  readonly roster: Roster;
  /** The same cluster from another node; may be the same object for a twin without a network. */
  readonly elsewhere: Roster;
  /** Restarts everything. The data may be lost. */
  readonly reopen: () => Promise<Roster>;
  /** Lets time pass for the roster, by moving its clock or by waiting. */
  readonly pass: (ms: number) => Promise<void>;
}

export type RosterFactory = () => Promise<RosterUnderTest>;

/** How many connections a user may have in the contract. */
export const LIMIT = 5;
/** How often a race is run. */
export const RACES = 50;

/** A record of one user on one node by default. */
export const recordOf = (given: Partial<ConnectionRecord> = {}): ConnectionRecord => ({
  connectionId: newId(),
  nodeId: "node-1",
  oderId: "user-1",
  connectionScope: "ws://one.test",
  clientInstanceId: newId(),
  device: { name: "Laptop", kind: "desktop" },
  username: "ada",
  displayName: "Ada",
  ...given,
});

export const registered = (registration: Registration): Registered => {
  if (registration.outcome === "registered") return registration;
  throw new Error(`Not registered: ${registration.outcome}`);
};

export const idsOf = (records: readonly ConnectionRecord[]): string[] =>
  records.map(({ connectionId }) => connectionId);

/** Registers a connection within the limit. */
export const add = async (
  roster: Roster,
  given: Partial<ConnectionRecord> = {},
): Promise<ConnectionRecord> => {
  const record = recordOf(given);
  registered(await roster.register(record, LIMIT));
  return record;
};

/** The ids of a user's connections. */
export const connectionsOf = async (roster: Roster, oderId: string): Promise<string[]> => {
  const probe = recordOf({ oderId });
  const { others } = registered(await roster.register(probe, 1_000));
  await roster.unregister(probe.connectionId);
  return idsOf(others);
};
