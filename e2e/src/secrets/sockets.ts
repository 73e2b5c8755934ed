import type { Credential } from "@hearth/contracts";
import { createServer, dialRaw, DOORS, join, openDevice, RAW_DOORS } from "../client/index.ts";
import { secret, type SecretSender } from "./secret-sender.ts";

/** Every kind of message with content, well-formed and malformed, on both doors. */
export const sendSecretsOverSockets = async (
  told: SecretSender,
  account: Credential,
  sibling: Credential,
): Promise<void> => {
  const room = await createServer(told.server.url, account, { name: "Chat" });
  for (const [, dial] of DOORS) {
    const device = await openDevice(dial, told.server.url, account);
    const other = await openDevice(dial, told.server.url, sibling);
    await join(device, room.id);
    await join(other, room.id);
    const message = { id: secret("id"), content: secret("message") };
    const place = { serverId: room.id };
    const answers = [
      await device.ask({ type: "chat_message", ...place, message }),
      await device.ask({ type: "chat_message", ...place, message: { content: secret("message") } }),
      await device.ask({ type: "chat_message", serverId: crypto.randomUUID(), message }),
      await device.ask({
        type: "message_revision",
        ...place,
        messageId: "m",
        revision: { content: secret("message") },
      }),
      await device.ask({ type: "direct_message", toUserId: sibling.id, message }),
      await device.ask({ type: "direct_message", toUserId: "nobody", message }),
      await device.ask({ type: "status_update", status: "away", statusText: secret("message") }),
      await device.ask({
        type: "account_sync",
        clientInstanceId: device.clientInstanceId,
        payload: { type: "chat-message", message },
      }),
      await device.ask({
        type: "account_sync",
        clientInstanceId: device.clientInstanceId,
        payload: { type: "chat-message", message: secret("message") },
      }),
      await device.ask({
        type: "account_sync",
        clientInstanceId: device.clientInstanceId,
        payload: secret("message"),
      }),
      await device.ask({ type: "identify", token: secret("token") }),
      await device.ask({ type: "offer", toUserId: sibling.id, sdp: secret("sdp") }),
    ];
    told.bodies.push(...answers.map((answer) => JSON.stringify(answer)));
    await device.close();
    await other.close();
  }
  for (const door of RAW_DOORS) {
    const socket = await dialRaw(told.server.url, door);
    socket.say(JSON.stringify({ type: "identify", token: account.token }), "identify");
    await socket.inbox.next("identified");
    socket.frame(`{"type":"chat_message","message":{"content":"${secret("message")}`);
    socket.frame(`42["chat_message",{"message":"${secret("message")}"`);
    told.bodies.push(JSON.stringify(await socket.inbox.next("error")));
    await socket.close();
  }
};
