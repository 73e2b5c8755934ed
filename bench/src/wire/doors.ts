/** A message of the protocol, whichever way it travels. */
export interface Message {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** How a kind of client opens its connection and writes messages on it. */
export interface Door {
  readonly name: string;
  readonly path: string;
  /** Lines that go with the handshake. */
  readonly headers?: readonly string[];
  /** What the server says first, where it does, and what the client answers. */
  readonly greeting?: { readonly awaits: string; readonly says: string; readonly welcome: string };
  encode(message: Message): string;
  /** `undefined` for what is no message. */
  decode(text: string): Message | undefined;
  /** The answer to a heartbeat that travels as text. */
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
