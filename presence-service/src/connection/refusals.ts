import { type AuthInvalidReason, CLOSE, LIMITS } from "@hearth/contracts";
import type { ConnectionState, Refusal } from "./connection-state.ts";
import { asTrouble, authFailure, errorMessage } from "./replies.ts";

/** The refusal that stands for an authentication failure. */
export const refusalOf = (reason: AuthInvalidReason | "missing"): Refusal => {
  const kind = reason === "missing" ? "auth_required" : "auth_error";
  return { kind, answer: { ...authFailure(kind, reason) } };
};

/** ER6: the refusal for a failure of ours. */
export const troubleOf = (error: unknown): Refusal => ({
  kind: "trouble",
  answer: { ...errorMessage(asTrouble(error), null) },
});

/** WS5: five failures end the connection; a failure of ours does not count (rule ER6). */
export const countFailure = (state: ConnectionState, refusal: Refusal): void => {
  if (refusal.kind === "trouble") return;
  state.failures += 1;
  if (state.failures >= LIMITS.identify.failures) {
    state.connection.close(CLOSE.REFUSED, "Too many failed attempts to identify");
  }
};
