import type { ConnectionState } from "../connection/connection-state.ts";
import { announceDeparture } from "../membership/membership.ts";
import { detachVoice } from "../voice/voice.ts";
import type { IdentityNode } from "./identity-node.ts";
import { unindexConnection } from "./indexes.ts";

/**
 * Ends a connection: from here on nothing reaches it. It is unregistered after its pending work, so that none of that
 * work outlives it. Repeating it does no harm.
 */
export const endConnection = (node: IdentityNode, state: ConnectionState): void => {
  unindexConnection(node, state);
  const unregistered = unregisterWhenIdle(node, state).finally(() => node.unregistering.delete(unregistered));
  node.unregistering.add(unregistered);
};

const unregisterWhenIdle = async (node: IdentityNode, state: ConnectionState): Promise<void> => {
  await state.pendingWork;
  const oderId = state.registeredAs;
  if (oderId === null) return;
  state.registeredAs = null;
  await node.pendingAnnouncements.attempt(() => unregister(node, state.connection.id, oderId));
};

/** Removes a connection from the cluster, and detaches its voice. */
export const unregister = async (node: IdentityNode, connectionId: string, oderId: string): Promise<void> => {
  for (const departure of await node.roster.unregister(connectionId)) announceDeparture(node, departure);
  await detachVoice(node, oderId, connectionId);
};
