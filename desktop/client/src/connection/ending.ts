import { CLOSE, ERRORS, mayReconnect } from "@hearth/contracts";
import type { AuthFailure, AuthInvalidReason, ServerMessage, SocketError } from "@hearth/contracts";
import { z } from "zod";

/** How a socket ended, and what follows from it (rule WS14). */
export type Ending =
  | {
      readonly kind: "again";
      readonly reason: string;
      /** What the server asked for, `null` where it left that to us. */
      readonly delayMs: number | null;
    }
  | { readonly kind: "final"; readonly reason: string; readonly authFailure: AuthFailureReason | null };

export type AuthFailureReason = AuthInvalidReason | "missing";

export type Closing = Extract<ServerMessage, { readonly type: "closing" }>;

/** No server keeps its clients away for longer. */
const LONGEST_DELAY_MS = 5 * 60_000;

/** The reason in a close frame where it carries the delay. */
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

/** What a closed socket means; the `closing` message that came before it says more than its code does. */
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

/** WS5: the server's word that our token is not good, whenever it comes. */
export const endingByAuth = ({ code, reason }: AuthFailure): Ending => ({
  kind: "final",
  reason: code,
  authFailure: reason,
});

/** An identify that was refused for another reason: trouble passes (rule ER6), a mistake of ours does not. */
export const endingByRefusal = ({ code, retryable, retryAfterMs }: SocketError): Ending =>
  retryable || ERRORS[code].status >= 500
    ? again(code, boundedDelay(retryAfterMs))
    : { kind: "final", reason: code, authFailure: null };
