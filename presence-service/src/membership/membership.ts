import {
  type Channel,
  type ClientMessage,
  discoverySubjects,
  type MembershipEndReason,
  ProblemError,
  type RoomUser,
} from "@hearth/contracts";
import type { Bus } from "@hearth/runtime";
import type { Departure, Occupant, Roster } from "../cluster/roster/roster.ts";
import type { Client, Identity } from "../connection/client.ts";
import type { Incoming } from "../connection/incoming.ts";
import { answer, notify } from "../connection/replies.ts";
import { announce } from "../delivery/broadcast.ts";
import { accountRoom, serverRoom } from "../delivery/rooms.ts";
import type { VoiceLease } from "../voice/voice-leases.ts";
import { releaseVoice, type VoiceNode } from "../voice/voice.ts";

/** What membership needs of its node. */
export interface MembershipNode extends VoiceNode {
  readonly bus: Bus;
  readonly roster: Roster;
}

/** WS8: enters a server's room after discovery has allowed it. */
export const joinServer = async (
  incoming: Incoming<MembershipNode, ClientMessage<"join_server">>,
): Promise<void> => {
  const { node, client, message } = incoming;
  const { oderId: userId, username, displayName } = incoming.identity;
  const { serverId } = message;
  client.joining = serverId;
  try {
    const question = { userId, username, displayName, serverId };
    const { channels } = await node.bus.request(discoverySubjects.join, question);
    if (client.live) await enter(incoming, channels);
  } finally {
    client.joining = null;
  }
};

const enter = async (
  incoming: Incoming<MembershipNode, ClientMessage<"join_server">>,
  channels: readonly Channel[],
): Promise<void> => {
  const { node, client, identity, message } = incoming;
  const { serverId } = message;
  if (client.joining !== serverId) throw new ProblemError("ACCESS_DENIED");
  const { oderId } = identity;
  const room = serverRoom(serverId);
  const endHold = node.rooms.hold(room, client);
  try {
    const leases = await node.leases.inServer(serverId);
    const { arrival, occupants } = await node.roster.enter(serverId, client.connection.id);
    const users = occupants.map((occupant) => toRoomUser(occupant, leases));
    const user = users.find((candidate) => candidate.oderId === oderId);
    // Announced even if this connection is gone by now: its departure follows, and another of the user may stay.
    if (arrival !== null && user) {
      const news = { type: "user_joined", serverId, user };
      announce(node, room, news, client.connection.id, { about: "presence", oderId, version: arrival });
    }
    if (!client.live) return;
    client.join(serverId);
    if (client.joining !== serverId) {
      await depart(node, client, identity, serverId);
      throw new ProblemError("ACCESS_DENIED");
    }
    answer(incoming, { type: "server_joined", serverId, users, channels });
  } finally {
    endHold(client.isIn(serverId));
  }
};

/** The inverse of {@link joinServer}. */
export const leaveServer = async (
  incoming: Incoming<MembershipNode, ClientMessage<"leave_server">>,
): Promise<void> => {
  const { node, client, identity, message } = incoming;
  const { serverId } = message;
  if (!client.isIn(serverId)) throw new ProblemError("NOT_JOINED");
  await depart(node, client, identity, serverId);
  answer(incoming, { type: "server_left", serverId });
};

/** Takes one connection out of a room; announces the user's departure if it was their last one. */
const depart = (
  node: MembershipNode,
  client: Client,
  { oderId, clientInstanceId }: Identity,
  serverId: string,
): Promise<void> => {
  client.servers?.delete(serverId);
  node.rooms.leave(serverRoom(serverId), client);
  return node.pendingAnnouncements.attempt(async () => {
    // On a retry, the connection may have joined again.
    if (client.isIn(serverId)) return;
    await releaseVoice(node, oderId, { serverId, clientInstanceId });
    const departure = await node.roster.leave(serverId, client.connection.id);
    if (departure) announceDeparture(node, departure);
  });
};

/** WS8: the user's last connection is out of the room. */
export const announceDeparture = (node: MembershipNode, { serverId, oderId, version }: Departure): void => {
  const news = { type: "user_left", serverId, oderId };
  announce(node, serverRoom(serverId), news, null, { about: "presence", oderId, version });
};

/** DI7: takes a user's connections on this node out of a room that they lost access to. */
export const removeFromServer = async (
  node: MembershipNode,
  serverId: string,
  oderId: string,
  reason: MembershipEndReason,
): Promise<void> => {
  await Promise.all([
    ...node.rooms.of(accountRoom(oderId)).map((client) => remove(node, client, serverId, reason)),
    releaseVoice(node, oderId, { serverId }),
  ]);
};

/** DI7: takes all connections on this node out of a deleted server's room. */
export const closeServer = async (node: MembershipNode, serverId: string): Promise<void> => {
  await Promise.all([...node.clients.values()].map((client) => remove(node, client, serverId, "deleted")));
};

const remove = async (
  node: MembershipNode,
  client: Client,
  serverId: string,
  reason: MembershipEndReason,
): Promise<void> => {
  if (client.joining === serverId) client.joining = null;
  const { identity } = client;
  if (!identity || !client.isIn(serverId)) return;
  notify(client, { type: "removed_from_server", serverId, reason });
  await depart(node, client, identity, serverId);
};

const toRoomUser = ({ statusText, ...occupant }: Occupant, leases: readonly VoiceLease[]): RoomUser => {
  const lease = leases.find(({ oderId }) => oderId === occupant.oderId);
  return {
    ...occupant,
    ...(statusText === null ? {} : { statusText }),
    ...(lease && { voice: { channelId: lease.channelId, muted: lease.muted, deafened: lease.deafened } }),
  };
};
