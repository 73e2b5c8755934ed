import type { Carrier } from "./carrier.ts";

export interface Roster {
  readonly carrier: Carrier;
}
