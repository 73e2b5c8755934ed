import { type ClientMessage, ProblemError } from "@hearth/contracts";
import type { Parcel } from "../cluster/carrier/carrier.ts";
import type { ConnectionState } from "../connection/connection-state.ts";
import type { Incoming } from "../connection/incoming.ts";
import { acknowledge } from "../connection/replies.ts";
import { broadcast } from "../delivery/broadcast.ts";
import { accountRoom, serverRoom } from "../delivery/rooms.ts";
import { stamped } from "../delivery/stamp.ts";
import type { RelayNode } from "./relay-node.ts";
import { sendToUser, type ToUser } from "./send-to-user.ts";

type RoomMessage = ClientMessage<
  "chat_message" | "message_revision" | "message_delete" | "reaction" | "user_typing"
>;
type ServerIconMessage = ClientMessage<"server_icon_request" | "server_icon_full" | "server_icon_chunk">;
type SignalMessage = ClientMessage<"offer" | "answer" | "ice_candidate">;

interface RelayTarget {
  readonly toClientInstanceId?: string | undefined;
  /** Of the first room's user with the sender. */
  readonly contact?: Parcel["contact"];
}

/**
 * Sends on to a room, then answers; waits only where the cluster has to be waited for, and for `before`: what was under
 * way for this sender when the message's own turn came, of which it must not be a part itself.
 */
const relay = (
  incoming: Incoming<RelayNode, { readonly type: string }>,
  rooms: readonly string[],
  copy: Readonly<Record<string, unknown>>,
  { toClientInstanceId, contact }: RelayTarget = {},
  before: Promise<void> | null = incoming.state.pendingWork,
): Promise<void> | undefined => {
  const { node, state, message, droppable } = incoming;
  const parcel = {
    message: copy,
    ephemeral: droppable,
    exceptConnectionId: state.connection.id,
    clientInstanceId: toClientInstanceId,
  };
  const sent = rooms
    .map((room, at) => broadcast(node, { room, ...parcel, contact: at === 0 ? contact : undefined }))
    .filter((promise) => promise !== undefined);
  node.metrics.relays.inc({ type: message.type });
  // Answers come in the order of what they answer.
  if (rooms.length === 0 && before) return before.then(() => acknowledge(incoming));
  if (sent.length > 0) return Promise.all([...sent, before]).then(() => acknowledge(incoming));
  acknowledge(incoming);
  return undefined;
};

/** WS9: to every other connection in the room, the sender's own other devices included. */
export const relayToRoom = (incoming: Incoming<RelayNode, RoomMessage>): Promise<void> | undefined => {
  const { node, state, identity, inbound, message } = incoming;
  if (!state.isIn(message.serverId)) throw new ProblemError("NOT_JOINED");
  takeRoomBudget(node, state, message.serverId, inbound.bytes);
  if (message.type === "chat_message") node.activity.count(message.serverId);
  return relay(incoming, [serverRoom(message.serverId)], stamped(node, identity, message));
};

/** AB5: a flood into a room ends with those who make it, not with readers who cannot keep up. */
const takeRoomBudget = (node: RelayNode, state: ConnectionState, serverId: string, bytes: number): void => {
  if (!state.account || state.account.isQuiet) return;
  const retryAfterMs = node.accounts.takeRoom(serverId, bytes, node.clock.now());
  if (retryAfterMs > 0) throw new ProblemError("RATE_LIMITED", undefined, { retryAfterMs });
};

/** A copy that also says which device of the sender it comes from. */
const stampedWithDevice = ({
  node,
  identity,
  message,
}: Incoming<RelayNode, Readonly<Record<string, unknown>>>): Readonly<Record<string, unknown>> => ({
  ...stamped(node, identity, message),
  fromClientInstanceId: identity.clientInstanceId,
});

/** WS10: to all connections of the addressee, and to the sender's other devices. From a blocked sender only to these. */
export const relayToUser = (
  incoming: Incoming<RelayNode, Exclude<ToUser, SignalMessage>>,
): Promise<void> | undefined => {
  const { state, identity, message } = incoming;
  const before = state.pendingWork;
  const { toUserId } = message;
  const { oderId } = identity;
  return sendToUser(incoming, ({ blocked, stranger }) => {
    const copy = stampedWithDevice(incoming);
    const own = accountRoom(oderId);
    if (blocked) return relay(incoming, [own], copy, {}, before);
    const rooms = [...new Set([accountRoom(toUserId), own])];
    const contact = { from: oderId, to: toUserId, stranger };
    return relay(incoming, rooms, copy, { contact }, before);
  });
};

/** WS10: WebRTC signalling is for the addressee alone, and for one of its devices where one is named. */
export const relayToDevice = (incoming: Incoming<RelayNode, SignalMessage>): Promise<void> | undefined => {
  const { state, identity, message } = incoming;
  const before = state.pendingWork;
  const { toUserId, toClientInstanceId } = message;
  return sendToUser(incoming, ({ blocked, stranger }) => {
    const rooms = blocked ? [] : [accountRoom(toUserId)];
    const contact = { from: identity.oderId, to: toUserId, stranger };
    return relay(incoming, rooms, stampedWithDevice(incoming), { toClientInstanceId, contact }, before);
  });
};

/** WS10: server icons only between users who share a server (interface 5.7). */
export const relayToFellowMember = async (
  incoming: Incoming<RelayNode, ServerIconMessage>,
): Promise<void> => {
  const { node, state, identity, message } = incoming;
  const before = state.pendingWork;
  const { toUserId, toClientInstanceId } = message;
  const shared = await node.sharedServers.has(identity.oderId, toUserId);
  if (!state.live) return;
  if (!shared) throw new ProblemError("NO_SHARED_SERVER");
  const copy = stampedWithDevice(incoming);
  await relay(incoming, [accountRoom(toUserId)], copy, { toClientInstanceId }, before);
};

/** WS9: to the room it names, or to every room the user is in. */
export const relayStatus = async (
  incoming: Incoming<RelayNode, ClientMessage<"status_update">>,
): Promise<void> => {
  const { node, state, identity, message, droppable } = incoming;
  const { serverId, status, statusText } = message;
  if (serverId !== undefined && !state.isIn(serverId)) throw new ProblemError("NOT_JOINED");
  await node.roster.setStatus(identity.oderId, status, statusText ?? null);
  const servers = serverId === undefined ? await node.roster.serversOf(identity.oderId) : [serverId];
  if (!state.live) return;
  for (const each of servers) {
    const copy = { ...stamped(node, identity, message), serverId: each };
    await broadcast(node, {
      room: serverRoom(each),
      message: copy,
      ephemeral: droppable,
      exceptConnectionId: state.connection.id,
    });
  }
  node.metrics.relays.inc({ type: "status_update" });
  acknowledge(incoming);
};
