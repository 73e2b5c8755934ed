import type { Bus, Clock, Log } from "@hearth/runtime";
import type { Activity } from "./activity.ts";
import type { Carrier, Parcel } from "./carrier.ts";
import type { Client } from "./client.ts";
import type { PresenceMetrics } from "./presence-metrics.ts";
import type { Revocations } from "./revocations.ts";
import { connectionOf, type Rooms } from "./rooms.ts";
import type { Roster } from "./roster.ts";
import type { SharedServers } from "./shared-servers.ts";
import { createFrame } from "./transport/frame.ts";
import type { VoiceLeases } from "./voice-leases.ts";

/** What the parts of one presence node share. */
export interface PresenceNode {
  readonly nodeId: string;
  readonly clients: Map<string, Client>;
  readonly rooms: Rooms;
  readonly roster: Roster;
  readonly leases: VoiceLeases;
  readonly carrier: Carrier;
  readonly bus: Bus;
  readonly revocations: Revocations;
  readonly sharedServers: SharedServers;
  readonly activity: Activity;
  /** Connections of this node that own voice, or lately did; their leases are renewed. */
  readonly voiceOwners: Set<Client>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: PresenceMetrics;
}

/**
 * Delivers a message to a room: on this node at once, on the others through the carrier. Returns what the
 * carrier returned; `undefined` when there is nothing to wait for.
 */
export const broadcast = (node: PresenceNode, parcel: Parcel): Promise<void> | undefined => {
  deliverLocally(node, parcel);
  return node.carrier.publish(parcel);
};

/** The receiving end of {@link broadcast}, on this node. */
export const deliverLocally = (node: PresenceNode, parcel: Parcel): void => {
  const { room, message, ephemeral, exceptConnectionId, clientInstanceId } = parcel;
  const frame = createFrame(message, { ephemeral });
  const connectionId = connectionOf(room);
  if (connectionId !== null) node.clients.get(connectionId)?.connection.send(frame);
  else if (clientInstanceId === undefined) node.rooms.deliver(room, frame, exceptConnectionId);
  else node.rooms.deliverToDevice(room, frame, clientInstanceId);
};

/** A broadcast that nobody waits for: what the server itself has to say. A failure is logged. */
export const announce = (
  node: PresenceNode,
  room: string,
  message: Readonly<Record<string, unknown>>,
  exceptConnectionId: string | null = null,
): void => {
  broadcast(node, { room, message, ephemeral: false, exceptConnectionId })?.catch((error: unknown) => {
    node.log.warn({ err: error, type: message["type"] }, "announcement did not leave this node");
  });
};
