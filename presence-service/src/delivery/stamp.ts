import type { RelayStamp } from "@hearth/contracts";
import type { Identity } from "../connection/client.ts";
import type { DeliveryNode } from "./broadcast.ts";

/** WS9: what the server says of who sent a message; it overrides whatever the client wrote there. */
const stamp = (node: DeliveryNode, { oderId, username, displayName }: Identity): RelayStamp => ({
  fromUserId: oderId,
  fromUsername: username,
  fromDisplayName: displayName,
  sentAt: node.clock.now(),
});

/**
 * A relayed copy: the client's fields, without the `requestId` that is between it and the server and without what
 * only the server may say of a sender.
 */
export const stamped = (
  node: DeliveryNode,
  identity: Identity,
  { requestId: _, fromClientInstanceId: __, ...message }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  const copy = { ...message, ...stamp(node, identity) };
  return "oderId" in message ? { ...copy, oderId: identity.oderId } : copy;
};
