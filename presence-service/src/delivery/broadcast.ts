import type { Clock, Log } from "@hearth/runtime";
import type { Carrier, Change, Parcel } from "../cluster/carrier/carrier.ts";
import type { ClusterMembership } from "../cluster/cluster-membership.ts";
import type { ConnectionState } from "../connection/connection-state.ts";
import { createFrame, type Frame } from "../transport/frame.ts";
import { CHANGE_MEMORY_MS, type Changes } from "./changes.ts";
import type { Correspondence } from "./correspondence.ts";
import type { PendingAnnouncements } from "./pending-announcements.ts";
import { connectionOf, connectionRoom, type Rooms } from "./rooms.ts";

/** The parts of a node that delivery uses. */
export interface DeliveryNode {
  readonly clock: Clock;
  readonly log: Log;
  readonly carrier: Carrier;
  readonly clusterMembership: ClusterMembership;
  /** The connections of this node, by id. */
  readonly connections: Map<string, ConnectionState>;
  readonly rooms: Rooms;
  readonly changes: Changes;
  readonly correspondence: Correspondence;
  readonly pendingAnnouncements: PendingAnnouncements;
}

/**
 * Delivers a message to a room: on this node at once, and on the other nodes, if there are any, through the carrier.
 * Returns what the carrier returned; `undefined` when there is nothing to wait for.
 */
export const broadcast = (node: DeliveryNode, parcel: Parcel): Promise<void> | undefined => {
  const handedOver = node.clusterMembership.isAlone ? undefined : node.carrier.publish(parcel);
  deliverLocally(node, parcel);
  return handedOver;
};

/** The receiving end of {@link broadcast}, on this node. */
export const deliverLocally = (node: DeliveryNode, parcel: Parcel): void => {
  const { room, message, ephemeral, exceptConnectionId, contact, change, close } = parcel;
  if (change) {
    const order = node.changes.take(room, change, message["type"] === "user_joined");
    if (order === "late") return;
    if (order === "overtaking") deliverMissingDeparture(node, parcel, change);
  }
  if (contact && INVITES_REPLY.has(String(message["type"])))
    node.correspondence.note(contact.from, contact.to);
  const frame = createFrame(message, { ephemeral, fromStranger: contact?.stranger });
  const connectionId = connectionOf(room);
  const isReceiver = receiversOf(parcel);
  if (connectionId !== null) deliverToConnection(node.connections.get(connectionId), frame, close);
  else if (isReceiver) node.rooms.deliverWhere(room, frame, isReceiver, exceptConnectionId);
  else node.rooms.deliver(room, frame, exceptConnectionId);
};

/** AB6: after one of these, the addressee is no stranger to the sender. */
const INVITES_REPLY: ReadonlySet<string> = new Set(["direct_message", "direct_call"]);

/** Selects receivers in the room; `null` selects all of them. */
const receiversOf = ({ clientInstanceId, change }: Parcel): ((state: ConnectionState) => boolean) | null => {
  if (clientInstanceId !== undefined)
    return ({ identity }) => identity?.clientInstanceId === clientInstanceId;
  // A connection that has just identified may know a later owner than a parcel that is still on its way.
  if (change?.about === "ownership") return ({ voiceVersion }) => voiceVersion < change.version;
  return null;
};

/** WS8: between two arrivals of a user, the room must receive their departure. */
const deliverMissingDeparture = (
  node: DeliveryNode,
  { room, message, exceptConnectionId }: Parcel,
  { oderId }: Change,
): void => {
  const left = { type: "user_left", serverId: message["serverId"], oderId };
  node.rooms.deliver(room, createFrame(left), exceptConnectionId);
};

const deliverToConnection = (
  state: ConnectionState | undefined,
  frame: Frame,
  close: Parcel["close"],
): void => {
  if (!close) {
    state?.send(frame);
    return;
  }
  state?.connection.send(frame);
  state?.connection.close(close.kind, close.text);
};

/**
 * Broadcasts a message of the server itself, without waiting for it. Logs a failure. Retries a change, because a member
 * that misses it would keep an outdated state.
 */
export const announce = (
  node: DeliveryNode,
  room: string,
  message: Readonly<Record<string, unknown>>,
  exceptConnectionId: string | null = null,
  change?: Change,
): void => dispatch(node, { room, message, ephemeral: false, exceptConnectionId, change });

/** Sends to one connection, on whichever node it is, and closes it if `close` is given. */
export const announceTo = (
  node: DeliveryNode,
  connectionId: string,
  message: Readonly<Record<string, unknown>>,
  close?: Parcel["close"],
): void => {
  const room = connectionRoom(connectionId);
  const parcel = { room, message, ephemeral: false, exceptConnectionId: null, close };
  if (node.connections.has(connectionId)) deliverLocally(node, parcel);
  else dispatch(node, parcel);
};

const dispatch = (node: DeliveryNode, parcel: Parcel): void => {
  broadcast(node, parcel)?.catch((error: unknown) => {
    if (parcel.change) node.pendingAnnouncements.add(retryOf(node, parcel), error);
    else node.log.warn({ err: error, type: parcel.message["type"] }, "announcement did not leave this node");
  });
};

/**
 * Publishes the parcel again, until half of the time has passed for which nodes remember changes. While a node remembers
 * a newer change, it does not deliver an older one.
 */
const retryOf = (node: DeliveryNode, parcel: Parcel): (() => Promise<void>) => {
  const until = node.clock.now() + CHANGE_MEMORY_MS / 2;
  return async () => {
    if (node.clock.now() < until) await node.carrier.publish(parcel);
  };
};
