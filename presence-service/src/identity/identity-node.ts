import type { EndedSessions } from "@hearth/runtime";
import type { AccountBudgets } from "../connection/account-budgets.ts";
import type { ConnectionState, Identity } from "../connection/connection-state.ts";
import type { PresenceMetrics } from "../connection/presence-metrics.ts";
import type { Budgets } from "../connection/token-bucket.ts";
import type { MembershipNode } from "../membership/membership.ts";
import type { SyncSequences } from "../relay/sync-sequences.ts";
import type { Renames } from "./renames.ts";
import type { VerifiedSessions } from "./verified-sessions.ts";

/** The parts of a node that identity uses. */
export interface IdentityNode extends MembershipNode {
  readonly nodeId: string;
  readonly budgets: Budgets;
  readonly accountBudgets: AccountBudgets;
  readonly metrics: PresenceMetrics;
  readonly syncSequences: SyncSequences;
  readonly revocations: EndedSessions;
  readonly renames: Renames;
  readonly verified: VerifiedSessions;
  /** Ended connections that are being removed from the cluster. */
  readonly unregistering: Set<Promise<void>>;
}

/** A connection that takes an identity: its first, or another one of the same user. */
export interface IdentityChange {
  readonly node: IdentityNode;
  readonly state: ConnectionState;
  readonly identity: Identity;
  readonly previous: Identity | null;
}
