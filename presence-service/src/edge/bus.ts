import {
  authSubjects,
  discoverySubjects,
  healthSubject,
  presenceSubjects,
  syncSubjects,
} from "@hearth/contracts";
import type { Subscription } from "@hearth/runtime";
import { deliverLocally } from "../delivery/broadcast.ts";
import { accountRoom, serverRoom } from "../delivery/rooms.ts";
import { endAccount, endSession, announceSession } from "../identity/sessions.ts";
import { closeServer, removeFromServer } from "../membership/membership.ts";
import { deliverAccountSync } from "../relay/account-sync.ts";
import { createFrame } from "../transport/frame.ts";
import { askForMissedEndings } from "./missed-endings.ts";
import type { PresenceNode } from "./presence-node.ts";

/** Subscribes to the events of other services and answers their requests. Every node receives every event. */
export const connectBus = (node: PresenceNode, isReady: () => boolean): readonly Subscription[] => {
  const { bus, roster } = node;
  return [
    bus.answer(presenceSubjects.online, async ({ serverIds }) => ({
      counts: await roster.online(serverIds),
    })),
    bus.answer(healthSubject("presence"), async () => ({ ready: isReady() })),
    askForMissedEndings(node),
    bus.subscribe(authSubjects.sessionEnded, (session) => endSession(node, session)),
    bus.subscribe(authSubjects.userUpdated, ({ userId, displayName }) => rename(node, userId, displayName)),
    bus.subscribe(authSubjects.blockChanged, ({ userId, otherUserId }) =>
      node.contacts.noteBlock(userId, otherUserId),
    ),
    bus.subscribe(authSubjects.sessionOpened, ({ userId, ...session }) =>
      announceSession(node, userId, session),
    ),
    bus.subscribe(authSubjects.userDeleted, ({ userId }) => endAccount(node, userId)),
    bus.subscribe(syncSubjects.deliver, (delivery) => deliverAccountSync(node, delivery)),
    bus.subscribe(discoverySubjects.membershipEnded, (membership) => {
      node.sharedServers.forget();
      return removeFromServer(node, membership);
    }),
    bus.subscribe(discoverySubjects.serverDeleted, ({ serverId }) => closeServer(node, serverId)),
    bus.subscribe(discoverySubjects.serverUpdated, ({ server }) =>
      notifyRoom(node, serverRoom(server.id), { type: "server_updated", server }),
    ),
    bus.subscribe(discoverySubjects.memberUpdated, (member) =>
      notifyRoom(node, serverRoom(member.serverId), { type: "member_updated", ...member }),
    ),
    bus.subscribe(discoverySubjects.requestUpdated, ({ request, recipients }) => {
      for (const userId of recipients)
        notifyRoom(node, accountRoom(userId), { type: "access_request", request });
    }),
  ];
};

/** Sends to the room's connections on this node; the other nodes receive the same event. */
const notifyRoom = (node: PresenceNode, room: string, message: Readonly<Record<string, unknown>>): void =>
  deliverLocally(node, { room, message, ephemeral: false, exceptConnectionId: null });

/** AB8: notifies everybody who sees the user, once each. */
const rename = async (node: PresenceNode, oderId: string, displayName: string): Promise<void> => {
  node.verified.forgetUser(oderId);
  node.renames.add(oderId, displayName);
  const own = node.rooms.of(accountRoom(oderId));
  for (const state of own) {
    if (state.identity) state.identity = { ...state.identity, displayName };
  }
  await node.roster.setDisplayName(oderId, displayName);
  const servers = await node.roster.serversOf(oderId);
  const others = servers.flatMap((serverId) => node.rooms.of(serverRoom(serverId)));
  const frame = createFrame({ type: "user_updated", oderId, displayName });
  for (const { connection } of new Set([...own, ...others])) connection.send(frame);
};
