import { type ClientMessage, ProblemError, syncSubjects } from "@hearth/contracts";
import type { z } from "zod";
import type { Incoming } from "../connection/incoming.ts";
import { acknowledge } from "../connection/replies.ts";
import { deliverLocally } from "../delivery/broadcast.ts";
import { accountRoom } from "../delivery/rooms.ts";
import type { RelayNode } from "./relay-node.ts";

/** AS1: sends the envelope to sync-service, which relays it to every node. The connection's queue keeps the order. */
export const accountSync = async (
  incoming: Incoming<RelayNode, ClientMessage<"account_sync">>,
): Promise<void> => {
  const { node, state, identity, inbound, message } = incoming;
  if (identity.clientInstanceDeclared && message.clientInstanceId !== identity.clientInstanceId) {
    const errors = [{ path: "clientInstanceId", message: "is not the one this connection identified with" }];
    throw new ProblemError("INVALID_REQUEST", undefined, { errors });
  }
  const { oderId } = identity;
  const connectionId = state.connection.id;
  const sequence = (state.syncs += 1);
  // The body as it arrived, not as the schema parsed it: AS1 demands "the rest unchanged".
  await node.bus.request(syncSubjects.relay, {
    oderId,
    connectionId,
    sequence,
    envelope: { ...inbound.body },
  });
  node.metrics.relays.inc({ type: "account_sync" });
  acknowledge(incoming);
};

type SyncDelivery = z.infer<(typeof syncSubjects.deliver)["payload"]>;

/**
 * AS1: delivers an envelope to the account's other connections on this node, unless a newer one of the same sender has
 * arrived before.
 */
export const deliverAccountSync = (node: RelayNode, delivery: SyncDelivery): void => {
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
