import type { BridgeFailure } from "@hearth/bridge";

/** Why something was not done: the app refused it and says why, gave no answer, or could not show a document. */
export type Trouble =
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "no-answer" }
  | { readonly kind: "not-opened" };

const isFailure = (error: unknown): error is BridgeFailure =>
  typeof error === "object" && error !== null && "name" in error && error.name === "BridgeFailure";

/** What a rejected call of the bridge means. */
export const troubleOf = (error: unknown): Trouble =>
  isFailure(error) ? { kind: "refused", message: error.message } : { kind: "no-answer" };
