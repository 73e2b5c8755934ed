import type { Roster } from "./roster.ts";

export interface Carrier {
  readonly roster: Roster;
}
