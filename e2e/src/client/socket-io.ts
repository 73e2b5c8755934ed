import { io } from "socket.io-client";
import { Mailbox, type Message } from "./mailbox.ts";
import type { Closed, Dial } from "./socket.ts";

/** The Socket.IO door, through its own client. Answers come as acknowledgements. */
export const dialSocketIo: Dial = async (baseUrl, { headers } = {}) => {
  const socket = io(baseUrl, {
    transports: ["websocket"],
    reconnection: false,
    forceNew: true,
    ...(headers && { extraHeaders: headers }),
  });
  const inbox = new Mailbox();
  socket.onAny((_event, message: Message) => {
    inbox.receive(message);
  });
  const closed = new Promise<Closed>((resolve) => {
    socket.once("disconnect", (reason) => {
      resolve({ code: 0, reason });
    });
  });
  await new Promise((resolve, reject) => {
    socket.once("connect", () => resolve(undefined));
    socket.once("connect_error", reject);
  });
  return {
    inbox,
    closed,
    send: (message) => {
      socket.emit(message.type, message);
    },
    ask: (message) => socket.timeout(5_000).emitWithAck(message.type, message) as Promise<Message>,
    close: async () => {
      socket.disconnect();
      await closed;
    },
  };
};
