import type { Budgets } from "../connection/token-bucket.ts";
import type { AccountBudgets } from "../connection/budgets.ts";
import type { PresenceMetrics } from "../connection/presence-metrics.ts";
import type { MembershipNode } from "../membership/membership.ts";
import type { SyncSequences } from "../relay/sync-sequences.ts";
import type { Renames } from "./renames.ts";
import type { Revocations } from "./revocations.ts";
import type { VerifiedSessions } from "./verified-sessions.ts";

/** What identity needs of its node. */
export interface IdentityNode extends MembershipNode {
  readonly nodeId: string;
  readonly budgets: Budgets;
  readonly accounts: AccountBudgets;
  readonly metrics: PresenceMetrics;
  readonly syncSequences: SyncSequences;
  readonly revocations: Revocations;
  readonly renames: Renames;
  readonly verified: VerifiedSessions;
  /** Connections that are gone and that the cluster is being told to forget. */
  readonly leaving: Set<Promise<void>>;
}
