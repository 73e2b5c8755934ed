import type { Client, Identity } from "../connection/client.ts";
import { accountRoom, serverRoom, sessionRoom } from "../delivery/rooms.ts";
import type { IdentityNode } from "./identity-node.ts";

/** Makes a connection reachable as its account and its session. */
export const index = (
  node: IdentityNode,
  client: Client,
  identity: Identity,
  previous: Identity | null,
): void => {
  if (previous && previous.sessionId !== identity.sessionId)
    node.rooms.leave(sessionRoom(previous.sessionId), client);
  if (!previous) {
    node.metrics.identified.inc();
    client.account = node.accounts.enter(identity.oderId, node.clock.now());
  }
  client.identity = identity;
  node.rooms.enter(accountRoom(identity.oderId), client);
  node.rooms.enter(sessionRoom(identity.sessionId), client);
};

/** Undoes {@link index} and all joins at once: from here on nothing reaches the connection. */
export const unindex = (node: IdentityNode, client: Client): void => {
  const { identity } = client;
  if (!identity) return;
  node.metrics.identified.dec();
  node.rooms.leave(accountRoom(identity.oderId), client);
  if (node.rooms.of(accountRoom(identity.oderId)).length === 0) node.syncSequences.forget(identity.oderId);
  node.rooms.leave(sessionRoom(identity.sessionId), client);
  for (const serverId of client.servers ?? []) node.rooms.leave(serverRoom(serverId), client);
  if (client.account) node.accounts.leave(client.account, node.clock.now());
  client.account = null;
  client.servers = null;
  client.identity = null;
};
