import { type ClientMessage, ProblemError, syncSubjects } from "@hearth/contracts";
import type { Client, Identity } from "./client.ts";
import { deliverLocally, type PresenceNode } from "./node.ts";
import { acknowledge } from "./replies.ts";
import { accountRoom } from "./rooms.ts";
import type { InboundMessage } from "./transport/connection.ts";

/** AS1: to sync-service, which checks it and hands it to every node. Order per connection is that of its queue. */
export const accountSync = async (
  node: PresenceNode,
  client: Client,
  identity: Identity,
  inbound: InboundMessage,
  message: ClientMessage<"account_sync">,
): Promise<void> => {
  if (identity.clientInstanceDeclared && message.clientInstanceId !== identity.clientInstanceId) {
    const errors = [{ path: "clientInstanceId", message: "is not the one this connection identified with" }];
    throw new ProblemError("INVALID_REQUEST", undefined, { errors });
  }
  const { oderId } = identity;
  const connectionId = client.connection.id;
  // The envelope goes on as it came, not as the schema read it: the rule is "the rest unchanged".
  await node.bus.request(syncSubjects.relay, { oderId, connectionId, envelope: { ...inbound.body } });
  node.metrics.relays.inc({ type: "account_sync" });
  acknowledge(client, inbound);
};

/** AS1: what another connection of the account sent, on its way to those of this node. */
export const deliverAccountSync = (
  node: PresenceNode,
  delivery: {
    readonly oderId: string;
    readonly exceptConnectionId: string;
    readonly envelope: Readonly<Record<string, unknown>>;
  },
): void => {
  deliverLocally(node, {
    room: accountRoom(delivery.oderId),
    message: delivery.envelope,
    ephemeral: false,
    exceptConnectionId: delivery.exceptConnectionId,
  });
};
