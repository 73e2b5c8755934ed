import type { RosterFactory } from "../../testing/roster-records.ts";
import { describeRegistration } from "./roster-connections.contract.ts";
import { describeNodes, describeRooms } from "./roster-rooms.contract.ts";

export type { RosterFactory, RosterUnderTest } from "../../testing/roster-records.ts";

/** The suite that every twin of the roster passes. */
export const describeRosterContract = (name: string, factory: RosterFactory): void => {
  describeRegistration(name, factory);
  describeRooms(name, factory);
  describeNodes(name, factory);
};
