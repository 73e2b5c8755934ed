import type { Bus } from "@hearth/runtime";
import type { Roster } from "../cluster/roster/roster.ts";
import type { AccountBudgets } from "../connection/account-budgets.ts";
import type { StrangerBudgets } from "../connection/addressee-budgets.ts";
import type { PresenceMetrics } from "../connection/presence-metrics.ts";
import type { DeliveryNode } from "../delivery/broadcast.ts";
import type { Activity } from "./activity.ts";
import type { Contacts, SharedServersLookup } from "./contacts.ts";
import type { SyncSequences } from "./sync-sequences.ts";

/** The parts of a node that relays use. */
export interface RelayNode extends DeliveryNode {
  readonly bus: Bus;
  readonly roster: Roster;
  readonly metrics: PresenceMetrics;
  readonly accountBudgets: AccountBudgets;
  readonly strangerBudgets: StrangerBudgets;
  readonly contacts: Contacts;
  readonly sharedServers: SharedServersLookup;
  readonly activity: Activity;
  /** Of accounts with a connection on this node. */
  readonly syncSequences: SyncSequences;
}
