import type { ConnectionState } from "../connection/connection-state.ts";
import { accountRoom, serverRoom, sessionRoom } from "../delivery/rooms.ts";
import type { IdentityChange, IdentityNode } from "./identity-node.ts";

/** Lets messages to the account and to the session reach the connection. */
export const indexConnection = ({ node, state, identity, previous }: IdentityChange): void => {
  if (previous && previous.sessionId !== identity.sessionId)
    node.rooms.leave(sessionRoom(previous.sessionId), state);
  if (!previous) {
    node.metrics.identified.inc();
    state.account = node.accountBudgets.enter(identity.oderId, node.clock.now());
  }
  state.identity = identity;
  node.rooms.enter(accountRoom(identity.oderId), state);
  node.rooms.enter(sessionRoom(identity.sessionId), state);
};

/** Undoes {@link indexConnection} and all joins at once: from here on nothing reaches the connection. */
export const unindexConnection = (node: IdentityNode, state: ConnectionState): void => {
  const { identity } = state;
  if (!identity) return;
  node.metrics.identified.dec();
  node.rooms.leave(accountRoom(identity.oderId), state);
  if (node.rooms.of(accountRoom(identity.oderId)).length === 0) node.syncSequences.forget(identity.oderId);
  node.rooms.leave(sessionRoom(identity.sessionId), state);
  for (const serverId of state.servers ?? []) node.rooms.leave(serverRoom(serverId), state);
  if (state.account) node.accountBudgets.leave(state.account, node.clock.now());
  state.account = null;
  state.servers = null;
  state.identity = null;
};
