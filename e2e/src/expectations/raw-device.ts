import type { Credential } from "@hearth/contracts";
import { expect } from "@jest/globals";
import { type DoorName, dialRaw, type Message, type RawSocket } from "../client/index.ts";

export const tell = (socket: RawSocket, message: Message): void =>
  socket.say(JSON.stringify(message), message.type);

export const ask = (socket: RawSocket, message: Message): Promise<Message> => {
  const requestId = crypto.randomUUID();
  tell(socket, { ...message, requestId });
  return socket.inbox.answer(requestId);
};

export const alive = async (socket: RawSocket): Promise<void> => {
  expect(await ask(socket, { type: "ping" })).toMatchObject({ type: "pong" });
};

export const identify = (socket: RawSocket, fields: object): Promise<Message> =>
  ask(socket, { type: "identify", ...fields });

export const identified = async (url: string, door: DoorName, { token }: Credential): Promise<RawSocket> => {
  const socket = await dialRaw(url, door);
  expect(await identify(socket, { token })).toMatchObject({ type: "identified" });
  return socket;
};
