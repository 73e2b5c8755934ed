import { type AuthInvalidReason, CLOSE, LIMITS } from "@hearth/contracts";
import type { ConnectionState, Refusal } from "./connection-state.ts";
import { authFailure, errorMessage, toRetryable } from "./replies.ts";

/** The refusal for an authentication failure. */
export const refusalOf = (reason: AuthInvalidReason | "missing"): Refusal => {
  const kind = reason === "missing" ? "auth_required" : "auth_error";
  return { kind, answer: { ...authFailure(kind, reason) } };
};

/** ER6: the refusal for a failure on our side. */
export const internalFailure = (error: unknown): Refusal => ({
  kind: "trouble",
  answer: { ...errorMessage(toRetryable(error), null) },
});

/** WS5: five failures end the connection; a failure on our side does not count (rule ER6). */
export const countFailure = (state: ConnectionState, refusal: Refusal): void => {
  if (refusal.kind === "trouble") return;
  state.failures += 1;
  if (state.failures >= LIMITS.identify.failures) {
    state.connection.close(CLOSE.REFUSED, "Too many failed attempts to identify");
  }
};
