import { LIMITS } from "@hearth/contracts";
import type { Bus, Clock, Log, Metrics } from "@hearth/runtime";
import { EndedSessions, newId } from "@hearth/runtime";
import type { Carrier } from "./cluster/carrier/carrier.ts";
import { createClusterMembership } from "./cluster/cluster-membership.ts";
import type { Roster } from "./cluster/roster/roster.ts";
import { createAccountBudgets } from "./connection/account-budgets.ts";
import { createStrangerBudgets } from "./connection/addressee-budgets.ts";
import { createPresenceMetrics } from "./connection/presence-metrics.ts";
import type { Budgets } from "./connection/token-bucket.ts";
import { createChanges } from "./delivery/changes.ts";
import { createCorrespondence } from "./delivery/correspondence.ts";
import { createPendingAnnouncements } from "./delivery/pending-announcements.ts";
import { createRooms } from "./delivery/rooms.ts";
import type { PresenceNode } from "./edge/presence-node.ts";
import { createRenames } from "./identity/renames.ts";
import { VerifiedSessions } from "./identity/verified-sessions.ts";
import { createSharedServers } from "./membership/shared-servers.ts";
import { createActivity } from "./relay/activity.ts";
import { createContacts } from "./relay/contacts.ts";
import { createSyncSequences } from "./relay/sync-sequences.ts";
import type { VoiceLeases } from "./voice/voice-leases.ts";

/** The parts of a presence node that its entry provides; the first three have a networked twin. */
export interface NodeParts {
  readonly roster: Roster;
  readonly leases: VoiceLeases;
  readonly carrier: Carrier;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** `LIMITS.budgets` by default. */
  readonly budgets?: Budgets;
}

/** Puts the parts of one presence node together. */
export const createNode = ({ metrics, budgets = LIMITS.budgets, ...parts }: NodeParts): PresenceNode => {
  const sharedServers = createSharedServers(parts.bus, parts.clock);
  const correspondence = createCorrespondence();
  return {
    ...parts,
    budgets,
    accountBudgets: createAccountBudgets(budgets),
    nodeId: newId(),
    clusterMembership: createClusterMembership(parts.clock),
    connections: new Map(),
    rooms: createRooms(),
    revocations: new EndedSessions(parts.clock),
    renames: createRenames(),
    verified: new VerifiedSessions(parts),
    sharedServers,
    correspondence,
    contacts: createContacts({ ...parts, sharedServers, correspondence }),
    strangerBudgets: createStrangerBudgets(budgets),
    activity: createActivity(),
    voiceOwners: new Set(),
    unregistering: new Set(),
    pendingAnnouncements: createPendingAnnouncements(parts.log),
    changes: createChanges(parts.clock),
    syncSequences: createSyncSequences(),
    metrics: createPresenceMetrics(metrics),
  };
};
