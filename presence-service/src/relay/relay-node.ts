import type { Bus } from "@hearth/runtime";
import type { Roster } from "../cluster/roster/roster.ts";
import type { AccountBudgets } from "../connection/account-budgets.ts";
import type { Strangers } from "../connection/addressee-budgets.ts";
import type { PresenceMetrics } from "../connection/presence-metrics.ts";
import type { DeliveryNode } from "../delivery/broadcast.ts";
import type { Activity } from "./activity.ts";
import type { Contacts, SharedServersLookup } from "./contacts.ts";
import type { SyncSequences } from "./sync-sequences.ts";

/** What relays need of their node. */
export interface RelayNode extends DeliveryNode {
  readonly bus: Bus;
  readonly roster: Roster;
  readonly metrics: PresenceMetrics;
  readonly accounts: AccountBudgets;
  readonly strangers: Strangers;
  readonly contacts: Contacts;
  readonly sharedServers: SharedServersLookup;
  readonly activity: Activity;
  /** Of accounts with a connection on this node. */
  readonly syncSequences: SyncSequences;
}
