import { createStore } from "zustand/vanilla";
import { storeOf } from "@hearth/bridge";
import type { ClientStore } from "@hearth/store";
import type { Readable } from "../observable.ts";
import { ClientProblem } from "@hearth/device";
import type { DropReason } from "./bounded-store.ts";

export interface StorageState {
  /** Why the device cannot store: it is full, or something else failed. */
  readonly trouble: "STORAGE_FULL" | "STORAGE_FAILED" | null;
  /** When and why old messages were last removed. */
  readonly dropped: { readonly reason: DropReason; readonly at: number } | null;
}

export interface WatchedStore {
  readonly store: ClientStore;
  readonly state: Readable<StorageState>;
  reportDropped(dropped: StorageState["dropped"]): void;
}

const isStorageProblem = (
  error: unknown,
): error is ClientProblem & { readonly code: "STORAGE_FULL" | "STORAGE_FAILED" } =>
  error instanceof ClientProblem && (error.code === "STORAGE_FULL" || error.code === "STORAGE_FAILED");

/** The same store with its health: trouble ends when a call of the failed kind succeeds, or any write. */
export function watchStore(store: ClientStore): WatchedStore {
  const state = createStore<StorageState>(() => ({ trouble: null, dropped: null }));
  let met: "read" | "write" = "read";
  const set = (trouble: StorageState["trouble"]): void => {
    if (state.getState().trouble !== trouble) state.setState({ trouble });
  };
  const watched = storeOf((method, kind) => async (...args) => {
    try {
      const result = await (store[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args);
      if (kind === "write" || met === "read") set(null);
      return result;
    } catch (error) {
      if (isStorageProblem(error)) {
        if (kind === "write" || state.getState().trouble === null) met = kind;
        set(error.code);
      }
      throw error;
    }
  });
  return { store: watched, state, reportDropped: (dropped) => state.setState({ dropped }) };
}
