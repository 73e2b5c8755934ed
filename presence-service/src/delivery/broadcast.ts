import type { Clock, Log } from "@hearth/runtime";
import type { Carrier, Change, Parcel } from "../cluster/carrier/carrier.ts";
import type { ClusterMembership } from "../cluster/cluster-membership.ts";
import type { Client } from "../connection/client.ts";
import { createFrame, type Frame } from "../transport/frame.ts";
import { CHANGE_MEMORY_MS, type Changes } from "./changes.ts";
import type { Correspondence } from "./correspondence.ts";
import type { PendingAnnouncements } from "./pending-announcements.ts";
import { connectionOf, connectionRoom, type Rooms } from "./rooms.ts";

/** What delivery needs of its node. */
export interface DeliveryNode {
  readonly clock: Clock;
  readonly log: Log;
  readonly carrier: Carrier;
  readonly clusterMembership: ClusterMembership;
  /** The connections of this node, by id. */
  readonly clients: Map<string, Client>;
  readonly rooms: Rooms;
  readonly changes: Changes;
  readonly correspondence: Correspondence;
  readonly pendingAnnouncements: PendingAnnouncements;
}

/**
 * Delivers a message to a room: on this node at once, on the others, where there are any, through the carrier. Returns
 * what the carrier returned; `undefined` when there is nothing to wait for.
 */
export const broadcast = (node: DeliveryNode, parcel: Parcel): Promise<void> | undefined => {
  const handedOver = node.clusterMembership.isAlone ? undefined : node.carrier.publish(parcel);
  deliverLocally(node, parcel);
  return handedOver;
};

/** The receiving end of {@link broadcast}, on this node. */
export const deliverLocally = (node: DeliveryNode, parcel: Parcel): void => {
  const { room, message, ephemeral, exceptConnectionId, contact, close } = parcel;
  if (parcel.change && !isNews(node, parcel, parcel.change)) return;
  if (contact && WRITING.has(String(message["type"]))) node.correspondence.note(contact.from, contact.to);
  const frame = createFrame(message, { ephemeral, fromStranger: contact?.stranger });
  const connectionId = connectionOf(room);
  const isMeant = whomFor(parcel);
  if (connectionId !== null) deliverToConnection(node.clients.get(connectionId), frame, close);
  else if (isMeant) node.rooms.deliverWhere(room, frame, isMeant, exceptConnectionId);
  else node.rooms.deliver(room, frame, exceptConnectionId);
};

/** Who sends one of these wants to hear from its addressee (rule AB6). */
const WRITING: ReadonlySet<string> = new Set(["direct_message", "direct_call"]);

/** Of those in the room; `null` for all of them. */
const whomFor = ({ clientInstanceId, change }: Parcel): ((client: Client) => boolean) | null => {
  if (clientInstanceId !== undefined)
    return ({ identity }) => identity?.clientInstanceId === clientInstanceId;
  // Who has just come may have been told of a later owner than those that are still under way.
  if (change?.about === "ownership") return ({ voiceVersion }) => voiceVersion < change.version;
  return null;
};

/** False behind a newer change. Who sees somebody come twice is told in between that they had gone (rule WS8). */
const isNews = (node: DeliveryNode, { room, message, exceptConnectionId }: Parcel, change: Change) => {
  const order = node.changes.take(room, change, message["type"] === "user_joined");
  if (order === "overtaking") {
    const left = { type: "user_left", serverId: message["serverId"], oderId: change.oderId };
    node.rooms.deliver(room, createFrame(left), exceptConnectionId);
  }
  return order !== "late";
};

const deliverToConnection = (client: Client | undefined, frame: Frame, close: Parcel["close"]): void => {
  if (!close) {
    client?.send(frame);
    return;
  }
  client?.connection.send(frame);
  client?.connection.close(close.kind, close.text);
};

/**
 * A broadcast that nobody waits for: what the server itself has to say. What did not leave this node is logged, and a
 * change is said again: whoever missed that would be wrong about it for as long as they are there.
 */
export const announce = (
  node: DeliveryNode,
  room: string,
  message: Readonly<Record<string, unknown>>,
  exceptConnectionId: string | null = null,
  change?: Change,
): void => dispatch(node, { room, message, ephemeral: false, exceptConnectionId, change });

/** Says something to one connection, wherever it lives, and ends it where `close` says so. */
export const announceTo = (
  node: DeliveryNode,
  connectionId: string,
  message: Readonly<Record<string, unknown>>,
  close?: Parcel["close"],
): void => {
  const room = connectionRoom(connectionId);
  const parcel = { room, message, ephemeral: false, exceptConnectionId: null, close };
  if (node.clients.has(connectionId)) deliverLocally(node, parcel);
  else dispatch(node, parcel);
};

const dispatch = (node: DeliveryNode, parcel: Parcel): void => {
  broadcast(node, parcel)?.catch((error: unknown) => {
    if (parcel.change) node.pendingAnnouncements.add(untilOld(node, parcel), error);
    else node.log.warn({ err: error, type: parcel.message["type"] }, "announcement did not leave this node");
  });
};

/** Behind a newer change it is left out, but only for as long as the other nodes remember that one. */
const untilOld = (node: DeliveryNode, parcel: Parcel): (() => Promise<void>) => {
  const until = node.clock.now() + CHANGE_MEMORY_MS / 2;
  return async () => {
    if (node.clock.now() < until) await node.carrier.publish(parcel);
  };
};
