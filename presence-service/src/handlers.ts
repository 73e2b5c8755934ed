import type { ClientMessage } from "@hearth/contracts";
import { accountSync } from "./account-sync.ts";
import type { Client, Identity } from "./client.ts";
import { joinServer, leaveServer } from "./membership.ts";
import type { PresenceNode } from "./node.ts";
import { relayServerIcon, relaySignal, relayToRoom, relayToUser, statusUpdate } from "./relays.ts";
import { answer } from "./replies.ts";
import type { InboundMessage } from "./transport/connection.ts";
import { voiceState, voiceTakeover } from "./voice.ts";

/** Does what an identified connection's message asks for, and answers it. Throws a `ProblemError` to refuse it. */
export const handleMessage = (
  node: PresenceNode,
  client: Client,
  identity: Identity,
  inbound: InboundMessage,
  message: Exclude<ClientMessage, { type: "identify" }>,
): Promise<void> | undefined => {
  switch (message.type) {
    case "ping":
      answer(client, inbound, { type: "pong", serverTime: node.clock.now() });
      return undefined;
    case "join_server":
      return joinServer(node, client, identity, inbound, message);
    case "leave_server":
      return leaveServer(node, client, identity, inbound, message);
    case "chat_message":
    case "message_revision":
    case "message_delete":
    case "reaction":
    case "user_typing":
      return relayToRoom(node, client, identity, inbound, message);
    case "status_update":
      return statusUpdate(node, client, identity, inbound, message);
    case "voice_state":
      return voiceState(node, client, identity, inbound, message);
    case "voice_client_takeover":
      return voiceTakeover(node, client, identity, inbound, message);
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
    case "account_sync":
      return accountSync(node, client, identity, inbound, message);
  }
};
