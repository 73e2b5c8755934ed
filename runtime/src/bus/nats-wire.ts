import type { Reply } from "./messages.ts";

/**
 * A message on the wire is its request id (empty if it has none), a line feed and JSON. An answer is `+`, or `-` for a
 * refusal, and JSON. NATS headers would carry the same at several times the cost.
 */
export const questionText = (requestId: string | undefined, json: string): string =>
  `${requestId ?? ""}\n${json}`;

export function readQuestion(text: string): {
  readonly requestId: string | undefined;
  readonly json: string;
} {
  const end = text.indexOf("\n");
  return { requestId: end > 0 ? text.slice(0, end) : undefined, json: text.slice(end + 1) };
}

export const replyText = ({ ok, text }: Reply): string => (ok ? "+" : "-") + text;

export const readReplyText = (text: string): Reply => ({ ok: text.startsWith("+"), text: text.slice(1) });
