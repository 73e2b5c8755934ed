import { CLOSE, LIMITS, presenceSubjects } from "@hearth/contracts";
import type { PresenceNode } from "../edge/presence-node.ts";
import { expireSessions } from "../identity/sessions.ts";
import { supersede } from "../identity/registration.ts";
import { announceDeparture } from "../membership/membership.ts";
import { expireVoice } from "../voice/voice.ts";

/** How long a node counts as alive without renewing itself. */
export const NODE_TTL_MS = 10_000;
/** How long a voice lease counts without a renewal by its owner's node. */
export const VOICE_TTL_MS = 10_000;

/** Renews this node in the roster. Never rejects. */
export const renewNode = (node: PresenceNode): Promise<void> => settle(node, "renewal", renew(node));

/**
 * Runs once a second: expires, renews and retries. A failed step does not stop the others. Only a node whose own renewals
 * have not been interrupted decides that other nodes are dead.
 */
export const tick = async (node: PresenceNode): Promise<void> => {
  expireSessions(node);
  closeUnidentified(node);
  node.changes.sweep();
  node.strangerBudgets.sweep(node.clock.now());
  node.accountBudgets.sweep(node.clock.now());
  await renewNode(node);
  await settle(node, "voice renewal", renewVoice(node));
  await settle(node, "pending announcements", node.pendingAnnouncements.retry());
  if (!node.clusterMembership.isSteady) return;
  await settle(node, "voice", expireVoice(node));
  await settle(node, "reaping", reap(node));
};

/** DI2: reports message counts since the last report. A failed report is lost: it only feeds a trend. */
export const reportActivity = async (node: PresenceNode): Promise<void> => {
  const items = node.activity.take();
  if (items.length > 0)
    await settle(node, "activity", node.bus.publish(presenceSubjects.activity, { items }));
};

/** WS5 */
const closeUnidentified = (node: PresenceNode): void => {
  const deadline = node.clock.now() - LIMITS.identify.deadlineMs;
  for (const state of node.connections.values()) {
    if (state.identity || state.openedAt > deadline) continue;
    state.connection.close(CLOSE.IDENTIFY_TIMEOUT, "No identify was completed in time");
  }
};

const renew = async (node: PresenceNode): Promise<void> => {
  const asked = node.clusterMembership.moment();
  const renewal = await node.roster.renew(node.nodeId, NODE_TTL_MS);
  node.clusterMembership.renewed(asked, renewal);
  const { known, superseded } = renewal;
  for (const record of superseded) supersede(node, record);
  if (!known) startOver(node);
};

/** The cluster took this node for dead and forgot its connections, so their clients must connect again. */
const startOver = (node: PresenceNode): void => {
  for (const { registeredAs, connection } of node.connections.values()) {
    if (registeredAs !== null)
      connection.close(CLOSE.RESTARTING, "The server no longer knows this connection");
  }
};

const renewVoice = async (node: PresenceNode): Promise<void> => {
  for (const state of node.voiceOwners) {
    const { identity, connection } = state;
    const owns = identity !== null && (await node.leases.renew(identity.oderId, connection.id));
    if (!owns) node.voiceOwners.delete(state);
  }
};

const reap = async (node: PresenceNode): Promise<void> => {
  for (const departure of await node.roster.reap()) announceDeparture(node, departure);
};

const settle = async (node: PresenceNode, step: string, work: Promise<void>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    node.log.warn({ err: error, step }, "upkeep step failed");
  }
};
