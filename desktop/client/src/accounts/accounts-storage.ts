import { createStore } from "zustand/vanilla";
import type { KeyValues } from "../ports.ts";
import type { Readable } from "../observable.ts";
import type { AccountsEvent, AccountsState } from "./accounts.ts";
import { stateOf } from "./accounts-state.ts";
import { createCredentials } from "./credentials.ts";
import type { StoredAccounts } from "./credentials.ts";

const STARTING: AccountsState = { phase: "starting", homeUrl: null, instances: [], ended: null };

/** The stored accounts, and the state that the screens see. */
export interface AccountsStorage {
  readonly state: Readable<AccountsState>;
  read(): StoredAccounts;
  change(change: (stored: StoredAccounts) => Partial<StoredAccounts>): StoredAccounts;
  /** Updates the state from the storage, which other tabs also write. */
  refresh(): void;
  setWorking(url: string, isWorking: boolean): void;
  emit(event: AccountsEvent): void;
  readonly on: (listener: (event: AccountsEvent) => void) => () => void;
}

export function createAccountsStorage(local: KeyValues): AccountsStorage {
  const credentials = createCredentials(local);
  const state = createStore<AccountsState>(() => STARTING);
  const working = new Set<string>();
  const listeners = new Set<(event: AccountsEvent) => void>();
  const refresh = (): void => state.setState(stateOf(credentials.read(), working), true);
  return {
    state,
    refresh,
    read: credentials.read,
    change(change) {
      const stored = credentials.change(change);
      refresh();
      return stored;
    },
    setWorking(url, isWorking) {
      if (isWorking) working.add(url);
      else working.delete(url);
      refresh();
    },
    emit: (event) => listeners.forEach((listener) => listener(event)),
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
