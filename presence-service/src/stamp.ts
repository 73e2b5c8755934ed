import type { RelayStamp } from "@hearth/contracts";
import type { Identity } from "./client.ts";
import type { PresenceNode } from "./node.ts";

/** WS9: what the server says of who sent a message; it overrides whatever the client wrote there. */
const stamp = (node: PresenceNode, { oderId, displayName }: Identity): RelayStamp => ({
  fromUserId: oderId,
  fromDisplayName: displayName,
  sentAt: node.clock.now(),
});

/** A relayed copy: the client's fields, without the `requestId` that is between it and the server. */
export const stamped = (
  node: PresenceNode,
  identity: Identity,
  { requestId: _, ...message }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => ({ ...message, ...stamp(node, identity) });
