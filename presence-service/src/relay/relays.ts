import { type ClientMessage, EPHEMERAL_TYPES, ProblemError } from "@hearth/contracts";
import { sendToUser, type ToUser } from "./addressees.ts";
import type { Parcel } from "../cluster/carrier/carrier.ts";
import type { Client, Identity } from "../connection/client.ts";
import { broadcast } from "../delivery/broadcast.ts";
import type { RelayNode } from "./relay-node.ts";
import { acknowledge } from "../connection/replies.ts";
import { accountRoom, serverRoom } from "../delivery/rooms.ts";
import { stamped } from "../delivery/stamp.ts";
import type { InboundMessage } from "../transport/connection.ts";

type RoomMessage = ClientMessage<
  "chat_message" | "message_revision" | "message_delete" | "reaction" | "user_typing"
>;
type ServerIconMessage = ClientMessage<"server_icon_request" | "server_icon_full" | "server_icon_chunk">;
type SignalMessage = ClientMessage<"offer" | "answer" | "ice_candidate">;

type Relayed = RoomMessage | ToUser | ServerIconMessage | ClientMessage<"status_update">;

/** Types that wait for nothing but the word that they are on their way. */
export const SENT_ON: ReadonlySet<string> = new Set<Relayed["type"]>([
  "chat_message",
  "message_revision",
  "message_delete",
  "reaction",
  "user_typing",
  "direct_message",
  "direct_message_revision",
  "direct_typing",
  "direct_call",
  "offer",
  "answer",
  "ice_candidate",
]);

/** Sends a message on to whom its type says. */
export const relayMessage = (
  node: RelayNode,
  client: Client,
  identity: Identity,
  inbound: InboundMessage,
  message: Relayed,
): Promise<void> | undefined => {
  switch (message.type) {
    case "chat_message":
    case "message_revision":
    case "message_delete":
    case "reaction":
    case "user_typing":
      return relayToRoom(node, client, identity, inbound, message);
    case "status_update":
      return statusUpdate(node, client, identity, inbound, message);
    case "direct_message":
    case "direct_message_revision":
    case "direct_typing":
    case "direct_call":
      return relayToUser(node, client, identity, inbound, message);
    case "offer":
    case "answer":
    case "ice_candidate":
      return relaySignal(node, client, identity, inbound, message);
    case "server_icon_request":
    case "server_icon_full":
    case "server_icon_chunk":
      return relayServerIcon(node, client, identity, inbound, message);
  }
};

interface RelayTarget {
  readonly type: string;
  readonly toClientInstanceId?: string | undefined;
  /** Of the first room's user with the sender. */
  readonly contact?: Parcel["contact"];
}

/**
 * Sends on to a room, then answers; waits only where the cluster has to be waited for, and for `before`: what was under
 * way for this sender when the message's own turn came, of which it must not be a part itself.
 */
const relay = (
  node: RelayNode,
  client: Client,
  inbound: InboundMessage,
  rooms: readonly string[],
  message: Readonly<Record<string, unknown>>,
  { type, toClientInstanceId, contact }: RelayTarget,
  before: Promise<void> | null = client.underWay,
): Promise<void> | undefined => {
  const parcel = {
    message,
    ephemeral: EPHEMERAL_TYPES.has(type),
    exceptConnectionId: client.connection.id,
    clientInstanceId: toClientInstanceId,
  };
  const sent = rooms
    .map((room, at) => broadcast(node, { room, ...parcel, contact: at === 0 ? contact : undefined }))
    .filter((promise) => promise !== undefined);
  node.metrics.relays.inc({ type });
  // Answers come in the order of what they answer.
  if (rooms.length === 0 && before) return before.then(() => acknowledge(client, inbound));
  if (sent.length > 0) return Promise.all([...sent, before]).then(() => acknowledge(client, inbound));
  acknowledge(client, inbound);
  return undefined;
};

/** WS9: to every other connection in the room, the sender's own other devices included. */
const relayToRoom = (
  node: RelayNode,
  client: Client,
  identity: Identity,
  inbound: InboundMessage,
  message: RoomMessage,
): Promise<void> | undefined => {
  if (!client.isIn(message.serverId)) throw new ProblemError("NOT_JOINED");
  takeRoom(node, client, message.serverId, inbound.bytes);
  if (message.type === "chat_message") node.activity.count(message.serverId);
  return relay(node, client, inbound, [serverRoom(message.serverId)], stamped(node, identity, message), {
    type: message.type,
  });
};

/** AB5: a flood into a room ends with those who make it, not with readers who cannot keep up. */
const takeRoom = (node: RelayNode, client: Client, serverId: string, bytes: number): void => {
  if (!client.account || client.account.isQuiet) return;
  const retryAfterMs = node.accounts.takeRoom(serverId, bytes, node.clock.now());
  if (retryAfterMs > 0) throw new ProblemError("RATE_LIMITED", undefined, { retryAfterMs });
};

/** WS10: to all connections of the addressee, and to the sender's other devices. From a blocked sender only to these. */
const relayToUser = (
  node: RelayNode,
  client: Client,
  identity: Identity,
  inbound: InboundMessage,
  message: Exclude<ToUser, SignalMessage>,
): Promise<void> | undefined => {
  const before = client.underWay;
  const { type, toUserId } = message;
  const { oderId } = identity;
  return sendToUser(node, client, identity, inbound, message, ({ blocked, stranger }) => {
    const copy = { ...stamped(node, identity, message), fromClientInstanceId: identity.clientInstanceId };
    const own = accountRoom(oderId);
    if (blocked) return relay(node, client, inbound, [own], copy, { type }, before);
    const rooms = [...new Set([accountRoom(toUserId), own])];
    const contact = { from: oderId, to: toUserId, stranger };
    return relay(node, client, inbound, rooms, copy, { type, contact }, before);
  });
};

/** WS10: WebRTC signalling is for the addressee alone, and for one of its devices where one is named. */
const relaySignal = (
  node: RelayNode,
  client: Client,
  identity: Identity,
  inbound: InboundMessage,
  message: SignalMessage,
): Promise<void> | undefined => {
  const before = client.underWay;
  const { type, toUserId, toClientInstanceId } = message;
  return sendToUser(node, client, identity, inbound, message, ({ blocked, stranger }) => {
    const copy = { ...stamped(node, identity, message), fromClientInstanceId: identity.clientInstanceId };
    const rooms = blocked ? [] : [accountRoom(toUserId)];
    const contact = { from: identity.oderId, to: toUserId, stranger };
    return relay(node, client, inbound, rooms, copy, { type, toClientInstanceId, contact }, before);
  });
};

/** WS10: server icons only between users who share a server (interface 5.7). */
const relayServerIcon = async (
  node: RelayNode,
  client: Client,
  identity: Identity,
  inbound: InboundMessage,
  message: ServerIconMessage,
): Promise<void> => {
  const before = client.underWay;
  const shared = await node.sharedServers.has(identity.oderId, message.toUserId);
  if (!client.live) return;
  if (!shared) throw new ProblemError("NO_SHARED_SERVER");
  const copy = { ...stamped(node, identity, message), fromClientInstanceId: identity.clientInstanceId };
  const { type, toUserId, toClientInstanceId } = message;
  await relay(node, client, inbound, [accountRoom(toUserId)], copy, { type, toClientInstanceId }, before);
};

/** WS9: to the room it names, or to every room the user is in. */
const statusUpdate = async (
  node: RelayNode,
  client: Client,
  identity: Identity,
  inbound: InboundMessage,
  message: ClientMessage<"status_update">,
): Promise<void> => {
  const { serverId, status, statusText } = message;
  if (serverId !== undefined && !client.isIn(serverId)) throw new ProblemError("NOT_JOINED");
  await node.roster.setStatus(identity.oderId, status, statusText ?? null);
  const servers = serverId === undefined ? await node.roster.serversOf(identity.oderId) : [serverId];
  if (!client.live) return;
  for (const each of servers) {
    const copy = { ...stamped(node, identity, message), serverId: each };
    await broadcast(node, {
      room: serverRoom(each),
      message: copy,
      ephemeral: true,
      exceptConnectionId: client.connection.id,
    });
  }
  node.metrics.relays.inc({ type: "status_update" });
  acknowledge(client, inbound);
};
