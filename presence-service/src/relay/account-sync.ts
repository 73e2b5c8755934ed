import { type ClientMessage, ProblemError, syncSubjects } from "@hearth/contracts";
import { deliverLocally } from "../delivery/broadcast.ts";
import type { RelayNode } from "./relay-node.ts";
import type { Incoming } from "../connection/incoming.ts";
import { acknowledge } from "../connection/replies.ts";
import { accountRoom } from "../delivery/rooms.ts";

/** AS1: to sync-service, which checks it and hands it to every node. Order per connection is that of its queue. */
export const accountSync = async (
  incoming: Incoming<RelayNode, ClientMessage<"account_sync">>,
): Promise<void> => {
  const { node, client, identity, inbound, message } = incoming;
  if (identity.clientInstanceDeclared && message.clientInstanceId !== identity.clientInstanceId) {
    const errors = [{ path: "clientInstanceId", message: "is not the one this connection identified with" }];
    throw new ProblemError("INVALID_REQUEST", undefined, { errors });
  }
  const { oderId } = identity;
  const connectionId = client.connection.id;
  const sequence = (client.syncs += 1);
  // The envelope goes on as it came, not as the schema read it: the rule is "the rest unchanged".
  await node.bus.request(syncSubjects.relay, {
    oderId,
    connectionId,
    sequence,
    envelope: { ...inbound.body },
  });
  node.metrics.relays.inc({ type: "account_sync" });
  acknowledge(incoming);
};

/** AS1: what another connection of the account sent, on its way to those of this node; not behind a newer one. */
export const deliverAccountSync = (
  node: RelayNode,
  delivery: {
    readonly oderId: string;
    readonly exceptConnectionId: string;
    readonly sequence?: number | undefined;
    readonly envelope: Readonly<Record<string, unknown>>;
  },
): void => {
  const { oderId, exceptConnectionId, sequence } = delivery;
  const room = accountRoom(oderId);
  if (node.rooms.of(room).length === 0) return;
  if (sequence !== undefined && !node.syncSequences.take(oderId, exceptConnectionId, sequence)) return;
  deliverLocally(node, {
    room,
    message: delivery.envelope,
    ephemeral: false,
    exceptConnectionId,
  });
};
