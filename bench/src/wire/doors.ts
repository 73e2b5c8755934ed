/** A message of the protocol in either direction. */
export interface Message {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** How a kind of client connects and writes messages. */
export interface Door {
  readonly name: string;
  readonly path: string;
  /** Header lines of the handshake. */
  readonly headers?: readonly string[];
  /** The server's greeting, if any, and the client's response. */
  readonly greeting?: { readonly awaits: string; readonly says: string; readonly welcome: string };
  encode(message: Message): string;
  /** `undefined` if it is no message. */
  decode(text: string): Message | undefined;
  /** The response to a heartbeat in a text frame. */
  heartbeat?(text: string): string | undefined;
}

const asMessage = (value: unknown): Message | undefined =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
    ? (value as Message)
    : undefined;

/** One JSON object per text frame. */
export const plainDoor: Door = {
  name: "plain",
  path: "/ws",
  encode: (message) => JSON.stringify(message),
  decode: (text) => asMessage(JSON.parse(text)),
};

const EVENT = "42";

/** Socket.IO over Engine.IO 4, WebSocket transport: the event's name is the message's type. */
export const socketIoDoor: Door = {
  name: "Socket.IO",
  path: "/socket.io/?EIO=4&transport=websocket",
  greeting: { awaits: "0{", says: "40", welcome: "40{" },
  encode: (message) => EVENT + JSON.stringify([message.type, message]),
  decode(text) {
    if (!text.startsWith(EVENT)) return undefined;
    const [, argument] = JSON.parse(text.slice(EVENT.length)) as readonly unknown[];
    return asMessage(argument);
  },
  heartbeat: (text) => (text === "2" ? "3" : undefined),
};
