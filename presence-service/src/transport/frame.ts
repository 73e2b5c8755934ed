import { textFrame } from "./wire-frame.ts";

/**
 * A message made ready for the wire once, however many connections it goes to: its JSON, its plain WebSocket
 * frame and its Socket.IO frame are each built at most once, when the first connection of that kind needs them.
 */
export interface Frame {
  /** True for what a slow reader may miss (rule WS13). */
  readonly ephemeral: boolean;
  /** AB6: what a slow reader misses first. */
  readonly fromStranger: boolean;
  /** The bytes of one unmasked, unfragmented text frame carrying the JSON. */
  readonly plain: Buffer;
  /** The same carrying a Socket.IO event packet named by the message's `type`. */
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

/** Makes a message ready to be sent to any number of connections of either door. */
export const createFrame = (message: object, options: FrameOptions = {}): Frame =>
  new MessageFrame(message, options.ephemeral ?? false, options.fromStranger ?? false);

/** Bytes that are the same on both doors, such as a pong. */
export const bytesFrame = (bytes: Buffer, ephemeral = false): Frame => ({
  ephemeral,
  fromStranger: false,
  plain: bytes,
  socketio: bytes,
});
