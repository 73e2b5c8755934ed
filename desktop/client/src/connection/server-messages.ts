import {
  CLIENT_MESSAGES,
  isClientMessageType,
  isServerMessageType,
  relayStampSchema,
  SERVER_MESSAGES,
} from "@hearth/contracts";
import { z } from "zod";
import type { Incoming } from "./connection.ts";

const envelope = z.looseObject({ type: z.string() });

type Checked = { readonly success: true; readonly data: object } | { readonly success: false };

/** A relayed message has to pass the schema that the server checks it with, and carries the server's stamp (rule WS9). */
function checkRelayed(type: string, message: object): Checked {
  if (!isClientMessageType(type)) return { success: false };
  const checked = CLIENT_MESSAGES[type].safeParse(message);
  const stamped = relayStampSchema.safeParse(checked.data);
  return stamped.success ? stamped : { success: false };
}

const check = (type: string, message: object): Checked =>
  isServerMessageType(type) ? SERVER_MESSAGES[type].safeParse(message) : checkRelayed(type, message);

/** The message in a frame, or `null` for a frame that holds no message of this product. */
export function readFrame(data: unknown): Incoming | null {
  if (typeof data !== "string") return null;
  try {
    const message = envelope.parse(JSON.parse(data));
    const { type } = message;
    const checked = check(type, message);
    return checked.success ? ({ ...checked.data, type } as Incoming) : null;
  } catch {
    return null;
  }
}
