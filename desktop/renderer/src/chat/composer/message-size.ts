import { LIMITS } from "@hearth/contracts";

/** Left for what stands around the text in the message that carries it: ids, names, time. */
const ENVELOPE = 1_024;
const PER_MENTION = 40;
/** From here on the rest is shown. */
const SHOWN_FROM = 0.9;

const encoder = new TextEncoder();

export interface MessageSize {
  readonly isTooLong: boolean;
  /** Bytes that are left, negative beyond the limit; nothing while it is far away. */
  readonly left: number | null;
}

/** How much room a text leaves in a message of at most `limit` bytes of JSON (rule WS12). */
export function sizeOf(text: string, mentions: number, limit: number = LIMITS.messageBytes): MessageSize {
  const allowed = limit - ENVELOPE - mentions * PER_MENTION;
  // A character takes at most six bytes of JSON: nothing to count while even that fits.
  if (text.length * 6 < allowed * SHOWN_FROM) return { isTooLong: false, left: null };
  const bytes = encoder.encode(JSON.stringify(text)).length;
  return { isTooLong: bytes > allowed, left: bytes < allowed * SHOWN_FROM ? null : allowed - bytes };
}
