import type { RelayStamp } from "@hearth/contracts";
import type { Identity } from "../connection/connection-state.ts";
import type { DeliveryNode } from "./broadcast.ts";

/** WS9: the sender's fields as the server knows them; they override the client's. */
const stamp = (node: DeliveryNode, { oderId, username, displayName }: Identity): RelayStamp => ({
  fromUserId: oderId,
  fromUsername: username,
  fromDisplayName: displayName,
  sentAt: node.clock.now(),
});

/** A relayed copy: the client's fields, except `requestId` and the fields that only the server may set. */
export const stamped = (
  node: DeliveryNode,
  identity: Identity,
  { requestId: _, fromClientInstanceId: __, ...message }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  const copy = { ...message, ...stamp(node, identity) };
  return "oderId" in message ? { ...copy, oderId: identity.oderId } : copy;
};
