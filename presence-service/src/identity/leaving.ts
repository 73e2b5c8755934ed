import type { Client } from "../connection/client.ts";
import { unindex } from "./indexes.ts";
import { announceDeparture } from "../membership/membership.ts";
import type { PresenceNode } from "../node.ts";
import { tellCluster } from "../delivery/owed.ts";
import { detachVoice } from "../voice/voice.ts";

/**
 * The end of a connection, for whatever reason: from here on nothing reaches it. The cluster forgets it when what
 * it has under way is done, so that nothing done for it can outlive it. Harmless when repeated.
 */
export const takeLeave = (node: PresenceNode, client: Client): void => {
  unindex(node, client);
  const leaving = forget(node, client).finally(() => node.leaving.delete(leaving));
  node.leaving.add(leaving);
};

const forget = async (node: PresenceNode, client: Client): Promise<void> => {
  await client.underWay;
  const oderId = client.registeredAs;
  if (oderId === null) return;
  client.registeredAs = null;
  await tellCluster(node, () => withdraw(node, client.connection.id, oderId));
};

/** Takes back all that the cluster knows of a connection. */
export const withdraw = async (node: PresenceNode, connectionId: string, oderId: string): Promise<void> => {
  for (const departure of await node.roster.unregister(connectionId)) announceDeparture(node, departure);
  await detachVoice(node, oderId, connectionId);
};
