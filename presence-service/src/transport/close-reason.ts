import { type CloseKind, mayReconnect } from "@hearth/contracts";
import type { Closing } from "./codec.ts";

/** The codes with which `ws` closes a connection that violates the protocol (RFC 6455 section 7.4.1). */
const VIOLATIONS: Readonly<Record<number, string>> = {
  1002: "The WebSocket protocol was violated",
  1007: "Text must be valid UTF-8",
  1008: "Too many fragments",
  1009: "The message is too large",
};

/** The kind of close after a violation of the WebSocket protocol. */
export const violation = (code: number): CloseKind => ({ code, reason: "protocol" });

export const violationMessage = (code: number): string =>
  VIOLATIONS[code] ?? "The WebSocket protocol was violated";

/** The message that precedes a close (rule WS14). */
export const closingMessage = (kind: CloseKind, message: string, retryInMs?: number): Closing => ({
  type: "closing",
  closeCode: kind.code,
  reason: kind.reason,
  message,
  reconnect: mayReconnect(kind.code),
  ...(retryInMs === undefined ? {} : { retryInMs }),
});

/** WS14: the reason in the close frame: a word, or JSON if it carries the delay. */
export const closeReason = (kind: CloseKind, retryInMs?: number): string =>
  retryInMs === undefined ? kind.reason : JSON.stringify({ reason: kind.reason, retryInMs });
