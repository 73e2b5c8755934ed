import { type ClientMessage, type ClientMessageType, isClientMessageType } from "@hearth/contracts";
import type { MessageBudget } from "../connection/connection-state.ts";
import type { Incoming } from "../connection/incoming.ts";
import { answer } from "../connection/replies.ts";
import { joinServer, leaveServer } from "../membership/membership.ts";
import { accountSync } from "../relay/account-sync.ts";
import {
  relayStatus,
  relayToDevice,
  relayToFellowMember,
  relayToRoom,
  relayToUser,
} from "../relay/relays.ts";
import { voiceState, voiceTakeover } from "../voice/voice.ts";
import type { PresenceNode } from "./presence-node.ts";

/** The types that an identified connection may send. */
export type HandledType = Exclude<ClientMessageType, "identify">;

/** A message of one type, with everything that its handler needs. */
type IncomingOf<Type extends HandledType> = Incoming<PresenceNode, ClientMessage<Type>>;

interface MessageType<Type extends HandledType> {
  /** Sends the message to its audience and answers it. Throws a `ProblemError` to refuse it. */
  readonly handle: (incoming: IncomingOf<Type>) => Promise<void> | undefined;
  /** WS13: a slow reader may miss it. */
  readonly droppable: boolean;
  readonly budget: MessageBudget;
  /**
   * WS2: whether the sender's next message may begin while this one waits for the cluster. `known_contact`: only if the
   * sender's relation to the addressee is known; while auth and discovery are asked, the next message would overtake it.
   */
  readonly overlaps: "never" | "always" | "known_contact";
}

const pong = (incoming: IncomingOf<"ping">): undefined => {
  answer(incoming, { type: "pong", serverTime: incoming.node.clock.now() });
  return undefined;
};

const ANSWERED = { droppable: false, budget: "message", overlaps: "never" } as const;
const TO_ROOM = { handle: relayToRoom, droppable: false, budget: "message", overlaps: "always" } as const;
const TO_USER = {
  handle: relayToUser,
  droppable: false,
  budget: "message",
  overlaps: "known_contact",
} as const;
const TO_DEVICE = { ...TO_USER, handle: relayToDevice } as const;
const TO_FELLOW_MEMBER = { ...ANSWERED, handle: relayToFellowMember } as const;

/** Everything that the edge knows about each type. */
export const MESSAGE_TYPES: { readonly [Type in HandledType]: MessageType<Type> } = {
  ping: { ...ANSWERED, handle: pong },
  join_server: { ...ANSWERED, handle: joinServer },
  leave_server: { ...ANSWERED, handle: leaveServer },
  chat_message: TO_ROOM,
  message_revision: TO_ROOM,
  message_delete: TO_ROOM,
  reaction: TO_ROOM,
  user_typing: { ...TO_ROOM, droppable: true, budget: "ephemeral" },
  status_update: { ...ANSWERED, handle: relayStatus, droppable: true },
  voice_state: { ...ANSWERED, handle: voiceState, budget: "ephemeral" },
  voice_client_takeover: { ...ANSWERED, handle: voiceTakeover },
  direct_message: TO_USER,
  direct_message_revision: TO_USER,
  direct_typing: { ...TO_USER, droppable: true, budget: "ephemeral" },
  direct_call: TO_USER,
  offer: TO_DEVICE,
  answer: TO_DEVICE,
  ice_candidate: { ...TO_DEVICE, budget: "ephemeral" },
  server_icon_request: TO_FELLOW_MEMBER,
  server_icon_full: TO_FELLOW_MEMBER,
  server_icon_chunk: TO_FELLOW_MEMBER,
  account_sync: { ...ANSWERED, handle: accountSync, budget: "account_sync" },
};

export const isHandledType = (type: unknown): type is HandledType =>
  isClientMessageType(type) && type !== "identify";

/** Handles the message and answers it. Throws a `ProblemError` to refuse it. */
export const handleMessage = <Type extends HandledType>(
  type: Type,
  incoming: Omit<IncomingOf<Type>, "droppable">,
): Promise<void> | undefined => {
  const { handle, droppable } = MESSAGE_TYPES[type];
  return handle({ ...incoming, droppable });
};
