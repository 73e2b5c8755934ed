import {
  type ClientMessage,
  discoverySubjects,
  type MembershipEndReason,
  ProblemError,
  type RoomUser,
} from "@hearth/contracts";
import type { Client, Identity } from "./client.ts";
import { announce, type PresenceNode } from "./node.ts";
import { answer, tell } from "./replies.ts";
import { accountRoom, serverRoom } from "./rooms.ts";
import type { Departure, Occupant } from "./roster.ts";
import type { InboundMessage } from "./transport/connection.ts";
import { releaseVoice } from "./voice.ts";
import type { VoiceLease } from "./voice-leases.ts";

/** WS8: enters a server's room, once discovery has said that the user may. */
export const joinServer = async (
  node: PresenceNode,
  client: Client,
  identity: Identity,
  inbound: InboundMessage,
  { serverId }: ClientMessage<"join_server">,
): Promise<void> => {
  const { oderId, displayName } = identity;
  client.joining = serverId;
  const { channels } = await node.bus.request(discoverySubjects.join, {
    userId: oderId,
    displayName,
    serverId,
  });
  // The session may have ended, or the connection closed, while discovery was asked.
  if (!client.live) return;
  const { first, occupants } = await node.roster.enter(serverId, client.connection.id);
  if (!client.live) return;
  if (client.joining !== serverId) {
    await node.roster.leave(serverId, client.connection.id);
    throw new ProblemError("ACCESS_DENIED");
  }
  client.joining = null;
  client.servers ??= new Set();
  client.servers.add(serverId);
  node.rooms.enter(serverRoom(serverId), client);
  const leases = await node.leases.inServer(serverId);
  const users = occupants.map((occupant) => toRoomUser(occupant, leases));
  answer(client, inbound, { type: "server_joined", serverId, users, channels });
  const user = users.find((candidate) => candidate.oderId === oderId);
  if (first && user)
    announce(node, serverRoom(serverId), { type: "user_joined", serverId, user }, client.connection.id);
};

/** The inverse of {@link joinServer}. */
export const leaveServer = async (
  node: PresenceNode,
  client: Client,
  inbound: InboundMessage,
  { serverId }: ClientMessage<"leave_server">,
): Promise<void> => {
  if (!client.isIn(serverId)) throw new ProblemError("NOT_JOINED");
  await depart(node, client, serverId);
  answer(client, inbound, { type: "server_left", serverId });
};

/** Takes one connection out of a room and tells the others when the user is gone with it. */
const depart = async (node: PresenceNode, client: Client, serverId: string): Promise<void> => {
  const { identity } = client;
  client.servers?.delete(serverId);
  node.rooms.leave(serverRoom(serverId), client);
  if (!identity) return;
  const { oderId, clientInstanceId } = identity;
  await releaseVoice(node, oderId, { serverId, clientInstanceId });
  const last = await node.roster.leave(serverId, client.connection.id);
  if (last) announceDeparture(node, { serverId, oderId });
};

/** WS8: the user's last connection is out of the room. */
export const announceDeparture = (node: PresenceNode, { serverId, oderId }: Departure): void =>
  announce(node, serverRoom(serverId), { type: "user_left", serverId, oderId });

/** DI7: takes a user's connections on this node out of a room they may no longer be in. */
export const removeFromServer = async (
  node: PresenceNode,
  serverId: string,
  oderId: string,
  reason: MembershipEndReason,
): Promise<void> => {
  const connections = node.rooms.of(accountRoom(oderId));
  for (const client of connections) if (client.joining === serverId) client.joining = null;
  const removed = connections.filter((client) => client.isIn(serverId));
  for (const client of removed) tell(client, { type: "removed_from_server", serverId, reason });
  await Promise.all(removed.map((client) => depart(node, client, serverId)));
};

/** DI7: a server is gone; everybody on this node leaves its room. */
export const closeServer = async (node: PresenceNode, serverId: string): Promise<void> => {
  for (const client of node.clients.values()) if (client.joining === serverId) client.joining = null;
  const members = node.rooms.of(serverRoom(serverId));
  for (const client of members) {
    tell(client, { type: "removed_from_server", serverId, reason: "deleted" });
    node.rooms.leave(serverRoom(serverId), client);
  }
  await Promise.all(members.map((client) => depart(node, client, serverId)));
};

const toRoomUser = ({ statusText, ...occupant }: Occupant, leases: readonly VoiceLease[]): RoomUser => {
  const lease = leases.find(({ oderId }) => oderId === occupant.oderId);
  return {
    ...occupant,
    ...(statusText === null ? {} : { statusText }),
    ...(lease && { voice: { channelId: lease.channelId, muted: lease.muted, deafened: lease.deafened } }),
  };
};
