import type { Codec } from "../codec.ts";
import { bytesFrame, createFrame } from "../frame.ts";
import { controlFrame, OPCODE } from "../wire-frame.ts";
import { parseObject } from "./json-text.ts";

/** WS1: one JSON object per text frame. */
export const plainDoor: Codec = {
  door: "plain",
  ping: bytesFrame(controlFrame(OPCODE.ping, Buffer.alloc(0))),
  opened: (connection) => connection.begin(),
  received: (connection, data) => connection.deliver({ body: parseObject(data), bytes: data.length }),
  closing: (connection, closing) => connection.post(createFrame(closing)),
};
