import type { Message } from "../../client/mailbox.ts";
import type { Ledger } from "../ledger.ts";

type Fields = Readonly<Record<string, unknown>>;

const noteReceived = (ledger: Ledger, connection: string, message: Message): void => {
  const from = message["fromUserId"];
  if (message.type === "chat_message") {
    const { id, content } = message["message"] as { readonly id: string; readonly content: string };
    ledger.note({ kind: "received", connection, id, traffic: "chat", from, content });
  } else {
    const payload = message["payload"] as Fields;
    const content = JSON.stringify(payload);
    ledger.note({ kind: "received", connection, id: String(payload["id"]), traffic: "sync", from, content });
  }
};

const noteVoice = (ledger: Ledger, connection: string, { ownerClientInstanceId, fence }: Fields): void => {
  const owner = typeof ownerClientInstanceId === "string" ? ownerClientInstanceId : null;
  ledger.note({ kind: "voice", connection, owner, fence: Number(fence) });
};

/** Records the content of a message. */
export const noteMessage = (ledger: Ledger, connection: string, session: string, message: Message): void => {
  const { type, requestId, serverId, code, voice } = message;
  if (type === "chat_message" || type === "account_sync") noteReceived(ledger, connection, message);
  else if (type === "ack" && typeof requestId === "string")
    ledger.note({ kind: "acknowledged", connection, id: requestId });
  else if (type === "auth_error" || type === "auth_required")
    ledger.note({ kind: "refused", session, code: `${type} ${String(code)}`, where: connection });
  else if (type === "server_joined") ledger.note({ kind: "joined", connection, room: String(serverId) });
  else if (type === "server_left") ledger.note({ kind: "left", connection, room: String(serverId) });
  else if (type === "voice_client_takeover") noteVoice(ledger, connection, message);
  else if (type === "identified" && voice) noteVoice(ledger, connection, voice as Fields);
};
