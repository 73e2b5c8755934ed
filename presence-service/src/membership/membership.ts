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
import type { ConnectionState, Identity } from "../connection/connection-state.ts";
import type { Incoming } from "../connection/incoming.ts";
import { answer, notify } from "../connection/replies.ts";
import { announce } from "../delivery/broadcast.ts";
import { accountRoom, serverRoom } from "../delivery/rooms.ts";
import type { VoiceLease } from "../voice/voice-leases.ts";
import { releaseVoice, type VoiceNode } from "../voice/voice.ts";

/** The parts of a node that membership uses. */
export interface MembershipNode extends VoiceNode {
  readonly bus: Bus;
  readonly roster: Roster;
}

/** WS8: enters a server's room if discovery allows it. */
export const joinServer = async (
  incoming: Incoming<MembershipNode, ClientMessage<"join_server">>,
): Promise<void> => {
  const { node, state, message } = incoming;
  const { oderId: userId, username, displayName } = incoming.identity;
  const { serverId } = message;
  state.joining = serverId;
  try {
    const question = { userId, username, displayName, serverId };
    const { channels } = await node.bus.request(discoverySubjects.join, question);
    if (state.live) await enter(incoming, channels);
  } finally {
    state.joining = null;
  }
};

const enter = async (
  incoming: Incoming<MembershipNode, ClientMessage<"join_server">>,
  channels: readonly Channel[],
): Promise<void> => {
  const { node, state, identity, message } = incoming;
  const { serverId } = message;
  if (state.joining !== serverId) throw new ProblemError("ACCESS_DENIED");
  const { oderId } = identity;
  const room = serverRoom(serverId);
  const endHold = node.rooms.hold(room, state);
  try {
    const leases = await node.leases.inServer(serverId);
    const { arrival, occupants } = await node.roster.enter(serverId, state.connection.id);
    const users = roomUsers(occupants, leases);
    const user = users.find((candidate) => candidate.oderId === oderId);
    // Announced even if this connection has closed meanwhile: its departure follows, and the user may have another one.
    if (arrival !== null && user) {
      const news = { type: "user_joined", serverId, user };
      announce(node, room, news, state.connection.id, { about: "presence", oderId, version: arrival });
    }
    if (!state.live) return;
    state.join(serverId);
    if (state.joining !== serverId) {
      await depart(node, state, identity, serverId);
      throw new ProblemError("ACCESS_DENIED");
    }
    answer(incoming, { type: "server_joined", serverId, users, channels });
  } finally {
    endHold(state.isIn(serverId));
  }
};

/** Undoes {@link joinServer}. */
export const leaveServer = async (
  incoming: Incoming<MembershipNode, ClientMessage<"leave_server">>,
): Promise<void> => {
  const { node, state, identity, message } = incoming;
  const { serverId } = message;
  if (!state.isIn(serverId)) throw new ProblemError("NOT_JOINED");
  await depart(node, state, identity, serverId);
  answer(incoming, { type: "server_left", serverId });
};

/** Takes one connection out of a room; announces the user's departure if it was their last one. */
const depart = (
  node: MembershipNode,
  state: ConnectionState,
  { oderId, clientInstanceId }: Identity,
  serverId: string,
): Promise<void> => {
  state.servers?.delete(serverId);
  node.rooms.leave(serverRoom(serverId), state);
  return node.pendingAnnouncements.attempt(async () => {
    // On a retry, the connection may have joined again.
    if (state.isIn(serverId)) return;
    await releaseVoice(node, oderId, { serverId, clientInstanceId });
    const departure = await node.roster.leave(serverId, state.connection.id);
    if (departure) announceDeparture(node, departure);
  });
};

/** WS8: announces that the user's last connection has left the room. */
export const announceDeparture = (node: MembershipNode, { serverId, oderId, version }: Departure): void => {
  const news = { type: "user_left", serverId, oderId };
  announce(node, serverRoom(serverId), news, null, { about: "presence", oderId, version });
};

/** DI7: removes a user's connections on this node from a room that the user has lost access to. */
export const removeFromServer = async (node: MembershipNode, ended: EndedMembership): Promise<void> => {
  const { serverId, userId, reason } = ended;
  await Promise.all([
    ...node.rooms.of(accountRoom(userId)).map((state) => remove(node, state, serverId, reason)),
    releaseVoice(node, userId, { serverId }),
  ]);
};

interface EndedMembership {
  readonly serverId: string;
  readonly userId: string;
  readonly reason: MembershipEndReason;
}

/** DI7: removes all connections on this node from a deleted server's room. */
export const closeServer = async (node: MembershipNode, serverId: string): Promise<void> => {
  await Promise.all([...node.connections.values()].map((state) => remove(node, state, serverId, "deleted")));
};

const remove = async (
  node: MembershipNode,
  state: ConnectionState,
  serverId: string,
  reason: MembershipEndReason,
): Promise<void> => {
  if (state.joining === serverId) state.joining = null;
  const { identity } = state;
  if (!identity || !state.isIn(serverId)) return;
  notify(state, { type: "removed_from_server", serverId, reason });
  await depart(node, state, identity, serverId);
};

/** The users of a room as a newcomer sees them. */
const roomUsers = (occupants: readonly Occupant[], leases: readonly VoiceLease[]): RoomUser[] => {
  const leaseOf = new Map(leases.map((lease) => [lease.oderId, lease]));
  return occupants.map(({ statusText, ...occupant }) => {
    const lease = leaseOf.get(occupant.oderId);
    return {
      ...occupant,
      ...(statusText === null ? {} : { statusText }),
      ...(lease && { voice: { channelId: lease.channelId, muted: lease.muted, deafened: lease.deafened } }),
    };
  });
};
