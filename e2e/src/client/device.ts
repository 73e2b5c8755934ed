import type { Credential } from "@hearth/contracts";
import type { Message } from "./mailbox.ts";
import type { Dial, DialOptions, Socket } from "./socket.ts";

/** A connection that has identified. */
export interface Device extends Socket {
  readonly credential: Credential;
  readonly clientInstanceId: string;
  readonly identified: Message;
}

/** Dials and identifies. */
export const openDevice = async (
  dial: Dial,
  baseUrl: string,
  credential: Credential,
  {
    clientInstanceId = crypto.randomUUID(),
    ...options
  }: DialOptions & { readonly clientInstanceId?: string } = {},
): Promise<Device> => {
  const socket = await dial(baseUrl, options);
  socket.send({
    type: "identify",
    token: credential.token,
    oderId: credential.id,
    clientInstanceId,
    connectionScope: baseUrl.replace(/^http/, "ws"),
  });
  const identified = await socket.inbox.next("identified");
  return { ...socket, credential, clientInstanceId, identified };
};

/** Enters a server's room and resolves with `server_joined`. */
export const join = (device: Device, serverId: string): Promise<Message> => {
  device.send({ type: "join_server", serverId });
  return device.inbox.next("server_joined", (message) => message["serverId"] === serverId);
};
