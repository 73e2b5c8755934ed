import { type ClientMessage, ProblemError } from "@hearth/contracts";
import type { Incoming } from "../connection/incoming.ts";
import { acknowledge } from "../connection/replies.ts";
import { broadcast } from "../delivery/broadcast.ts";
import { accountRoom, serverRoom } from "../delivery/rooms.ts";
import { stamped } from "../delivery/stamp.ts";
import type { Contact } from "./contacts.ts";
import type { RelayNode } from "./relay-node.ts";
import { type Direct, type Route, routeToDevice, routeToUser } from "./routes.ts";

type RoomMessage = ClientMessage<
  "chat_message" | "message_revision" | "message_delete" | "reaction" | "user_typing"
>;
type ServerIconMessage = ClientMessage<"server_icon_request" | "server_icon_full" | "server_icon_chunk">;
type SignalMessage = ClientMessage<"offer" | "answer" | "ice_candidate">;
type UserMessage = ClientMessage<
  "direct_message" | "direct_message_revision" | "direct_typing" | "direct_call"
>;
type DirectMessage = UserMessage | SignalMessage;

/**
 * Sends the copy along the route, then answers. Waits only for the cluster and for `earlier`: the work of the sender's
 * earlier messages. A caller that waited itself passes the `earlier` from before, which does not include its own work.
 */
const relay = (
  incoming: Incoming<RelayNode, { readonly type: string }>,
  { rooms, toClientInstanceId, contact }: Route,
  copy: Readonly<Record<string, unknown>>,
  earlier: Promise<void> | null = incoming.state.pendingWork,
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
  // Answers keep the order of the messages that they answer.
  if (rooms.length === 0 && earlier) return earlier.then(() => acknowledge(incoming));
  if (sent.length > 0) return Promise.all([...sent, earlier]).then(() => acknowledge(incoming));
  acknowledge(incoming);
  return undefined;
};

/** WS9: to every other connection in the room, the sender's own other devices included. */
export const relayToRoom = (incoming: Incoming<RelayNode, RoomMessage>): Promise<void> | undefined => {
  const { node, state, identity, message } = incoming;
  const { serverId } = message;
  if (!state.isIn(serverId)) throw new ProblemError("NOT_JOINED");
  takeRoomBudget(incoming);
  if (message.type === "chat_message") node.activity.count(serverId);
  return relay(incoming, { rooms: [serverRoom(serverId)] }, stamped(node, identity, message));
};

/** AB5: limits the accounts that flood a room, so that its readers can keep up. */
const takeRoomBudget = ({ node, state, inbound, message }: Incoming<RelayNode, RoomMessage>): void => {
  if (!state.account || state.account.isQuiet) return;
  refuseFor(node.accountBudgets.takeRoom(message.serverId, inbound.bytes, node.clock.now()));
};

const refuseFor = (retryAfterMs: number): void => {
  if (retryAfterMs > 0) throw new ProblemError("RATE_LIMITED", undefined, { retryAfterMs });
};

/** A copy that also names the sender's device. */
const stampedWithDevice = ({
  node,
  identity,
  message,
}: Incoming<RelayNode, Readonly<Record<string, unknown>>>): Readonly<Record<string, unknown>> => ({
  ...stamped(node, identity, message),
  fromClientInstanceId: identity.clientInstanceId,
});

/** WS10: see {@link routeToUser}. */
export const relayToUser = (incoming: Incoming<RelayNode, UserMessage>): Promise<void> | undefined =>
  relayDirect(incoming, routeToUser);

/** WS10: see {@link routeToDevice}. */
export const relayToDevice = (incoming: Incoming<RelayNode, SignalMessage>): Promise<void> | undefined =>
  relayDirect(incoming, routeToDevice);

/** Relays one user's message to another, whether they share a server or not, within the budgets of rule AB6. */
const relayDirect = (
  incoming: Incoming<RelayNode, DirectMessage>,
  route: (sender: string, message: Direct, contact: Contact) => Route,
): Promise<void> | undefined => {
  const { node, state, inbound, message } = incoming;
  const { oderId } = incoming.identity;
  const { type, toUserId } = message;
  const earlier = state.pendingWork;
  const now = node.clock.now();
  if (toUserId !== oderId) refuseFor(state.account?.addressees.take(toUserId, type, inbound.bytes, now) ?? 0);
  const proceed = (contact: Contact): Promise<void> | undefined => {
    // A blocked sender has a budget of their own, so that other strangers can still write.
    const budgetKey = contact.blocked ? `${toUserId} ${oderId}` : toUserId;
    if (contact.stranger) refuseFor(node.strangerBudgets.take(budgetKey, type, inbound.bytes, now));
    return relay(incoming, route(oderId, message, contact), stampedWithDevice(incoming), earlier);
  };
  const contact = node.contacts.recall(oderId, toUserId);
  if (contact) return proceed(contact);
  return node.contacts.ask(oderId, toUserId).then((found) => (state.live ? proceed(found) : undefined));
};

/** WS10: server icons only between users who share a server (interface 5.7). */
export const relayToFellowMember = async (
  incoming: Incoming<RelayNode, ServerIconMessage>,
): Promise<void> => {
  const { node, state, identity, message } = incoming;
  const earlier = state.pendingWork;
  const { toUserId, toClientInstanceId } = message;
  const shared = await node.sharedServers.has(identity.oderId, toUserId);
  if (!state.live) return;
  if (!shared) throw new ProblemError("NO_SHARED_SERVER");
  const route = { rooms: [accountRoom(toUserId)], toClientInstanceId };
  await relay(incoming, route, stampedWithDevice(incoming), earlier);
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
