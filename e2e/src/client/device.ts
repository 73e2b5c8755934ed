import type { Channel, Credential, JoinedServer } from "@hearth/contracts";
import { asCluster } from "../server/mode.ts";
import type { Message } from "./mailbox.ts";
import { expectOk } from "./rest.ts";
import type { Dial, DialOptions, Socket } from "./socket.ts";

/** A connection that has identified. */
export interface Device extends Socket {
  readonly credential: Credential;
  readonly clientInstanceId: string;
  readonly identified: Message;
}

/** Connects and identifies. */
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

/** Joins a server and resolves with `server_joined`. */
export const join = (device: Device, serverId: string): Promise<Message> => {
  device.send({ type: "join_server", serverId });
  return device.inbox.next("server_joined", (message) => message["serverId"] === serverId);
};

/** Creates a server with this owner. */
export const createServer = (
  baseUrl: string,
  { token }: Pick<Credential, "token">,
  body: Readonly<Record<string, unknown>> & { readonly name: string },
): Promise<JoinedServer> => expectOk(baseUrl, "POST", "/api/servers", { token, body });

/** The voice channel of every new server. */
export const voiceChannelOf = ({ channels }: Pick<JoinedServer, "channels">): Channel => {
  const channel = channels.find(({ kind }) => kind === "voice");
  if (!channel) throw new Error("a new server has a voice channel");
  return channel;
};

/** Far longer than a message takes between nodes. */
const CROSSING_MS = 200;

/**
 * Resolves when all messages in flight to these connections have arrived, since a `ping` sent after them was
 * answered. A test may then assert that a message did not arrive.
 */
export const settled = async (...sockets: readonly Socket[]): Promise<void> => {
  if (asCluster) await new Promise((resolve) => setTimeout(resolve, CROSSING_MS));
  await Promise.all(sockets.map((socket) => socket.ask({ type: "ping" })));
};
