import { CLOSE, type ServerMessage, type SessionEndReason } from "@hearth/contracts";
import type { Client } from "../connection/client.ts";
import { authFailure, notify } from "../connection/replies.ts";
import { accountRoom, sessionRoom } from "../delivery/rooms.ts";
import { createFrame } from "../transport/frame.ts";
import { endConnection } from "./connection-end.ts";
import type { IdentityNode } from "./identity-node.ts";

const CLOSE_OF = { revoked: CLOSE.SESSION_REVOKED, expired: CLOSE.SESSION_EXPIRED } as const;
const TEXT_OF = { revoked: "The session was ended", expired: "The session has expired" } as const;

/** AU6: closes the connections of an ended session on this node, and only those. */
export const endSession = (node: IdentityNode, sessionId: string, reason: SessionEndReason): void => {
  node.revocations.add(sessionId, reason);
  node.verified.endSession(sessionId);
  for (const client of node.rooms.of(sessionRoom(sessionId))) close(node, client, reason);
};

/** AB12: closes all connections of a deleted account, even if the ends of its sessions were missed. */
export const endAccount = (node: IdentityNode, oderId: string): void => {
  node.verified.forgetUser(oderId);
  for (const client of node.rooms.of(accountRoom(oderId))) {
    if (client.identity) node.revocations.add(client.identity.sessionId, "revoked");
    close(node, client, "revoked");
  }
  node.accounts.forget(oderId);
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
  for (const client of node.clients.values()) {
    if (client.identity && client.identity.sessionExpiresAt <= now) close(node, client, "expired");
  }
};

const close = (node: IdentityNode, client: Client, reason: SessionEndReason): void => {
  client.refusal = { kind: "auth_required", answer: { ...authFailure("auth_required", reason) } };
  notify(client, authFailure("auth_required", reason));
  endConnection(node, client);
  client.connection.close(CLOSE_OF[reason], TEXT_OF[reason]);
};
