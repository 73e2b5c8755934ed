import type { ClientMessage } from "@hearth/contracts";
import { accountSync } from "../relay/account-sync.ts";
import type { Client, Identity } from "../connection/client.ts";
import { joinServer, leaveServer } from "../membership/membership.ts";
import type { PresenceNode } from "./presence-node.ts";
import { relayMessage } from "../relay/relays.ts";
import { answer } from "../connection/replies.ts";
import type { InboundMessage } from "../transport/connection.ts";
import { voiceState, voiceTakeover } from "../voice/voice.ts";

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
    case "voice_state":
      return voiceState(node, client, identity, inbound, message);
    case "voice_client_takeover":
      return voiceTakeover(node, client, identity, inbound, message);
    case "account_sync":
      return accountSync(node, client, identity, inbound, message);
    default:
      return relayMessage(node, client, identity, inbound, message);
  }
};
