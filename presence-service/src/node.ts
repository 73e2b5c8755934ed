import { LIMITS } from "@hearth/contracts";
import type { Bus, Clock, Log, Metrics } from "@hearth/runtime";
import { EndedSessions, newId } from "@hearth/runtime";
import type { Carrier } from "./cluster/carrier/carrier.ts";
import { ClusterMembership } from "./cluster/cluster-membership.ts";
import type { Roster } from "./cluster/roster/roster.ts";
import { AccountBudgets } from "./connection/account-budgets.ts";
import { Strangers } from "./connection/addressee-budgets.ts";
import { createPresenceMetrics } from "./connection/presence-metrics.ts";
import type { Budgets } from "./connection/token-bucket.ts";
import { Changes } from "./delivery/changes.ts";
import { Correspondence } from "./delivery/correspondence.ts";
import { PendingAnnouncements } from "./delivery/pending-announcements.ts";
import { Rooms } from "./delivery/rooms.ts";
import type { PresenceNode } from "./edge/presence-node.ts";
import { Renames } from "./identity/renames.ts";
import { VerifiedSessions } from "./identity/verified-sessions.ts";
import { SharedServers } from "./membership/shared-servers.ts";
import { Activity } from "./relay/activity.ts";
import { Contacts } from "./relay/contacts.ts";
import { SyncSequences } from "./relay/sync-sequences.ts";
import type { VoiceLeases } from "./voice/voice-leases.ts";

/** What a presence node is made from; the first three have a networked twin. */
export interface NodeParts {
  readonly roster: Roster;
  readonly leases: VoiceLeases;
  readonly carrier: Carrier;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** By default those of `LIMITS`. */
  readonly budgets?: Budgets;
}

/** Puts the parts of one presence node together. */
export const createNode = ({ metrics, budgets = LIMITS.budgets, ...parts }: NodeParts): PresenceNode => {
  const sharedServers = new SharedServers(parts.bus, parts.clock);
  const correspondence = new Correspondence();
  return {
    ...parts,
    budgets,
    accounts: new AccountBudgets(budgets),
    nodeId: newId(),
    clusterMembership: new ClusterMembership(parts.clock),
    connections: new Map(),
    rooms: new Rooms(),
    revocations: new EndedSessions(parts.clock),
    renames: new Renames(),
    verified: new VerifiedSessions(parts),
    sharedServers,
    correspondence,
    contacts: new Contacts(parts.bus, parts.clock, sharedServers, correspondence),
    strangers: new Strangers(budgets),
    activity: new Activity(),
    voiceOwners: new Set(),
    unregistering: new Set(),
    pendingAnnouncements: new PendingAnnouncements(parts.log),
    changes: new Changes(parts.clock),
    syncSequences: new SyncSequences(),
    metrics: createPresenceMetrics(metrics),
  };
};
