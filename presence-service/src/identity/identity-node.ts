import type { EndedSessions } from "@hearth/runtime";
import type { AccountBudgets } from "../connection/account-budgets.ts";
import type { PresenceMetrics } from "../connection/presence-metrics.ts";
import type { Budgets } from "../connection/token-bucket.ts";
import type { MembershipNode } from "../membership/membership.ts";
import type { SyncSequences } from "../relay/sync-sequences.ts";
import type { Renames } from "./renames.ts";
import type { VerifiedSessions } from "./verified-sessions.ts";

/** What identity needs of its node. */
export interface IdentityNode extends MembershipNode {
  readonly nodeId: string;
  readonly budgets: Budgets;
  readonly accounts: AccountBudgets;
  readonly metrics: PresenceMetrics;
  readonly syncSequences: SyncSequences;
  readonly revocations: EndedSessions;
  readonly renames: Renames;
  readonly verified: VerifiedSessions;
  /** Ended connections that are being removed from the cluster. */
  readonly unregistering: Set<Promise<void>>;
}
