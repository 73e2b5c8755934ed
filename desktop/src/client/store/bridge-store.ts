import type { BridgeFailure, HearthBridge } from "../../bridge/bridge.ts";
import { storeOf } from "../../bridge/store-methods.ts";
import type { ClientStore } from "../../store/history.ts";
import { ClientProblem } from "../problem.ts";

const isFailure = (error: unknown): error is BridgeFailure =>
  typeof error === "object" && error !== null && "name" in error && error.name === "BridgeFailure";

/** What the app refused is the caller's; everything else is trouble with what the device stores in. */
function problemOf(error: unknown): ClientProblem {
  if (!isFailure(error)) return new ClientProblem("STORAGE_FAILED", {}, error);
  const { code, message } = error;
  if (code === "INVALID_REQUEST") return new ClientProblem(code, { message }, error);
  if (code === "QUOTA_EXCEEDED")
    return new ClientProblem("STORAGE_FULL", { message, retryable: true }, error);
  return new ClientProblem("STORAGE_FAILED", { message, retryable: code === "UNAVAILABLE" }, error);
}

/** The device's own database behind the bridge of the desktop window; every call rejects with a `ClientProblem`. */
export const openBridgeStore = ({ store }: Pick<HearthBridge, "store">): ClientStore =>
  storeOf((method) => async (...args) => {
    try {
      return await (store[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args);
    } catch (error) {
      throw problemOf(error);
    }
  });
