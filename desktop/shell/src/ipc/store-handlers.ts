import { ProblemError } from "@hearth/contracts";
import { isStoreFull } from "@hearth/runtime";
import { CALL } from "@hearth/bridge";
import type { CallHandlers } from "@hearth/bridge";
import type { StoreCall } from "@hearth/bridge";
import type { ClientStore } from "@hearth/store";

/** The method is a listed one, which selected the schema of its arguments; the compiler cannot follow that. */
const ask = (store: ClientStore, { method, args }: StoreCall): Promise<unknown> =>
  (store[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args);

/** A full disk gets its own code, because the page then frees space. */
async function written(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isStoreFull(error)) throw error;
    throw new ProblemError("QUOTA_EXCEEDED", "There is no room left for the data of this device");
  }
}

/** The two channels of the device's store. */
export const createStoreHandlers = (store: ClientStore, revokeTokens: () => void) =>
  ({
    [CALL.readStore]: (call) => ask(store, call),
    [CALL.writeStore]: async (call) => {
      await written(ask(store, call));
      // A program that may read this device must not read its next owner's data.
      if (call.method === "eraseAll") revokeTokens();
      return undefined;
    },
  }) satisfies Partial<CallHandlers>;
