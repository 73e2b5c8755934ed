import { CALL } from "../bridge/channel-names.ts";
import type { CallHandlers } from "../bridge/channels.ts";
import type { StoreCall } from "../bridge/store-calls.ts";
import type { ClientStore } from "../store/history.ts";

/** The method is one of the closed list, which picked the schema of its arguments; the compiler cannot follow that. */
const ask = (store: ClientStore, { method, args }: StoreCall): Promise<unknown> =>
  (store[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args);

/** The two channels of the device's store. */
export const createStoreHandlers = (store: ClientStore, revokeTokens: () => void) =>
  ({
    [CALL.readStore]: (call) => ask(store, call),
    [CALL.writeStore]: async (call) => {
      await ask(store, call);
      // A program that its owner let read this device must not read the next one's.
      if (call.method === "eraseAll") revokeTokens();
      return undefined;
    },
  }) satisfies Partial<CallHandlers>;
