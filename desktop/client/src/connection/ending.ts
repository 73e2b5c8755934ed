import { CLOSE, ERRORS, mayReconnect } from "@hearth/contracts";
import type { AuthFailure, AuthInvalidReason, ServerMessage, SocketError } from "@hearth/contracts";
import { z } from "zod";

/** How a socket ended, and what follows (rule WS14). */
export type Ending =
  | {
      readonly kind: "again";
      readonly reason: string;
      /** The delay that the server asked for; `null` if it did not. */
      readonly delayMs: number | null;
    }
  | { readonly kind: "final"; readonly reason: string; readonly authFailure: AuthFailureReason | null };

export type AuthFailureReason = AuthInvalidReason | "missing";

export type Closing = Extract<ServerMessage, { readonly type: "closing" }>;

/** No server delays its clients for longer. */
const LONGEST_DELAY_MS = 5 * 60_000;

/** A close reason that carries the delay. */
const delayedReason = z.object({ reason: z.string(), retryInMs: z.number() });

const reasonOf = (text: string): { readonly reason: string; readonly retryInMs?: number } => {
  if (!text.startsWith("{")) return { reason: text };
  try {
    return delayedReason.parse(JSON.parse(text));
  } catch {
    return { reason: "" };
  }
};

const boundedDelay = (delay: number | undefined): number | null =>
  delay === undefined || !(delay >= 0) ? null : Math.min(LONGEST_DELAY_MS, delay);

const KNOWN_REASONS: ReadonlyMap<number, string> = new Map(
  Object.values(CLOSE).map(({ code, reason }) => [code, reason]),
);

const authFailures: ReadonlyMap<number, AuthFailureReason> = new Map([
  [CLOSE.SESSION_REVOKED.code, "revoked"],
  [CLOSE.SESSION_EXPIRED.code, "expired"],
]);

export const again = (reason: string, delayMs: number | null = null): Ending => ({
  kind: "again",
  reason,
  delayMs,
});

/** What a closed socket means. A preceding `closing` message has more details than the close code. */
export function endingOf(
  close: { readonly code: number; readonly reason: string },
  closing: Closing | null,
  drainingMs: number | null,
): Ending {
  const code = closing?.closeCode ?? close.code;
  const said = reasonOf(close.reason);
  const reason = closing?.reason ?? KNOWN_REASONS.get(code) ?? (said.reason || "lost");
  if (closing?.reconnect === false || !mayReconnect(code))
    return { kind: "final", reason, authFailure: authFailures.get(code) ?? null };
  return again(reason, boundedDelay(closing?.retryInMs ?? said.retryInMs ?? drainingMs ?? undefined));
}

/** WS5: the server rejected the token. */
export const endingByAuth = ({ code, reason }: AuthFailure): Ending => ({
  kind: "final",
  reason: code,
  authFailure: reason,
});

/** A refused identify: retry if the failure may pass (rule ER6), else stop. */
export const endingByRefusal = ({ code, retryable, retryAfterMs }: SocketError): Ending =>
  retryable || ERRORS[code].status >= 500
    ? again(code, boundedDelay(retryAfterMs))
    : { kind: "final", reason: code, authFailure: null };
