import type { BridgeFailure, HearthBridge } from "@hearth/bridge";
import { storeOf } from "@hearth/bridge";
import type { ClientStore } from "@hearth/store";
import { ClientProblem } from "@hearth/device";

const isFailure = (error: unknown): error is BridgeFailure =>
  typeof error === "object" && error !== null && "name" in error && error.name === "BridgeFailure";

/** Refusals are passed on; everything else is a storage failure. */
function problemOf(error: unknown): ClientProblem {
  if (!isFailure(error)) return new ClientProblem("STORAGE_FAILED", {}, error);
  const { code, message } = error;
  if (code === "INVALID_REQUEST") return new ClientProblem(code, { message }, error);
  if (code === "QUOTA_EXCEEDED")
    return new ClientProblem("STORAGE_FULL", { message, retryable: true }, error);
  return new ClientProblem("STORAGE_FAILED", { message, retryable: code === "UNAVAILABLE" }, error);
}

/** The device's database behind the bridge of the desktop window. Every call rejects with a `ClientProblem`. */
export const openBridgeStore = ({ store }: Pick<HearthBridge, "store">): ClientStore =>
  storeOf((method) => async (...args) => {
    try {
      return await (store[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args);
    } catch (error) {
      throw problemOf(error);
    }
  });
