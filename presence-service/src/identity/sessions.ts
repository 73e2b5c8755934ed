import { CLOSE, type ServerMessage, type SessionEndReason } from "@hearth/contracts";
import type { ConnectionState } from "../connection/connection-state.ts";
import { authFailure, notify } from "../connection/replies.ts";
import { accountRoom, sessionRoom } from "../delivery/rooms.ts";
import { createFrame } from "../transport/frame.ts";
import { endConnection } from "./connection-end.ts";
import type { IdentityNode } from "./identity-node.ts";

const CLOSE_OF = { revoked: CLOSE.SESSION_REVOKED, expired: CLOSE.SESSION_EXPIRED } as const;
const TEXT_OF = { revoked: "The session was ended", expired: "The session has expired" } as const;

/** AU6: closes the connections of an ended session on this node, and no others. */
export const endSession = (
  node: IdentityNode,
  { sessionId, reason }: { readonly sessionId: string; readonly reason: SessionEndReason },
): void => {
  node.revocations.add(sessionId, reason);
  node.verified.forgetSession(sessionId);
  for (const state of node.rooms.of(sessionRoom(sessionId))) close(node, state, reason);
};

/** AB12: closes all connections of a deleted account, even if this node missed the ends of its sessions. */
export const endAccount = (node: IdentityNode, oderId: string): void => {
  node.verified.forgetUser(oderId);
  for (const state of node.rooms.of(accountRoom(oderId))) {
    if (state.identity) node.revocations.add(state.identity.sessionId, "revoked");
    close(node, state, "revoked");
  }
  node.accountBudgets.forget(oderId);
};

/** AB11: notifies the account's other sessions of a new one. */
export const announceSession = (
  node: IdentityNode,
  oderId: string,
  session: Omit<Extract<ServerMessage, { type: "session_opened" }>, "type">,
): void => {
  const frame = createFrame({ type: "session_opened", ...session });
  for (const { identity, connection } of node.rooms.of(accountRoom(oderId)))
    if (identity?.sessionId !== session.sessionId) connection.send(frame);
};

/** Closes connections whose session has expired, without waiting for an event. */
export const expireSessions = (node: IdentityNode): void => {
  const now = node.clock.now();
  for (const state of node.connections.values()) {
    if (state.identity && state.identity.sessionExpiresAt <= now) close(node, state, "expired");
  }
};

const close = (node: IdentityNode, state: ConnectionState, reason: SessionEndReason): void => {
  state.refusal = { kind: "auth_required", answer: { ...authFailure("auth_required", reason) } };
  notify(state, authFailure("auth_required", reason));
  endConnection(node, state);
  state.connection.close(CLOSE_OF[reason], TEXT_OF[reason]);
};
