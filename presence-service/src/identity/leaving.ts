import type { Client } from "../connection/client.ts";
import { unindex } from "./indexes.ts";
import { announceDeparture } from "../membership/membership.ts";
import type { IdentityNode } from "./identity-node.ts";
import { detachVoice } from "../voice/voice.ts";

/**
 * The end of a connection, for whatever reason: from here on nothing reaches it. The cluster forgets it when what
 * it has under way is done, so that nothing done for it can outlive it. Harmless when repeated.
 */
export const takeLeave = (node: IdentityNode, client: Client): void => {
  unindex(node, client);
  const leaving = forget(node, client).finally(() => node.leaving.delete(leaving));
  node.leaving.add(leaving);
};

const forget = async (node: IdentityNode, client: Client): Promise<void> => {
  await client.underWay;
  const oderId = client.registeredAs;
  if (oderId === null) return;
  client.registeredAs = null;
  await node.pendingAnnouncements.tell(() => withdraw(node, client.connection.id, oderId));
};

/** Takes back all that the cluster knows of a connection. */
export const withdraw = async (node: IdentityNode, connectionId: string, oderId: string): Promise<void> => {
  for (const departure of await node.roster.unregister(connectionId)) announceDeparture(node, departure);
  await detachVoice(node, oderId, connectionId);
};
