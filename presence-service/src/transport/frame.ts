import { textFrame } from "./wire-frame.ts";

/**
 * A message encoded once for any number of connections: its JSON, its plain WebSocket frame and its Socket.IO frame are each
 * built at most once, when the first connection needs them.
 */
export interface Frame {
  /** WS13: a slow reader may miss it. */
  readonly ephemeral: boolean;
  /** AB6: a slow reader misses it first. */
  readonly fromStranger: boolean;
  /** One unmasked, unfragmented text frame with the JSON. */
  readonly plain: Buffer;
  /** The same with a Socket.IO event packet, whose name is the `type` of the message. */
  readonly socketio: Buffer;
}

class MessageFrame implements Frame {
  readonly ephemeral: boolean;
  readonly fromStranger: boolean;
  private readonly message: object;
  private text: string | undefined;
  private plainBytes: Buffer | undefined;
  private socketioBytes: Buffer | undefined;

  constructor(message: object, ephemeral: boolean, fromStranger: boolean) {
    this.message = message;
    this.ephemeral = ephemeral;
    this.fromStranger = fromStranger;
  }

  get plain(): Buffer {
    return (this.plainBytes ??= textFrame(this.json));
  }

  get socketio(): Buffer {
    return (this.socketioBytes ??= textFrame(`42[${JSON.stringify(eventName(this.message))},${this.json}]`));
  }

  private get json(): string {
    return (this.text ??= JSON.stringify(this.message));
  }
}

const eventName = (message: object): string =>
  "type" in message && typeof message.type === "string" ? message.type : "message";

interface FrameOptions {
  readonly ephemeral?: boolean;
  readonly fromStranger?: boolean | undefined;
}

/** Prepares a message for any number of connections of either door. */
export const createFrame = (message: object, options: FrameOptions = {}): Frame =>
  new MessageFrame(message, options.ephemeral ?? false, options.fromStranger ?? false);

/** A frame whose bytes are the same on both doors, such as a pong. */
export const bytesFrame = (bytes: Buffer, ephemeral = false): Frame => ({
  ephemeral,
  fromStranger: false,
  plain: bytes,
  socketio: bytes,
});
