import type { Accounts } from "./accounts/accounts.ts";
import type { Blocks } from "./blocks/blocks.ts";
import type { Chat } from "./chat/chat.ts";
import type { ClientInstance, Connections } from "./connection/connection.ts";
import type { Servers } from "./servers/servers.ts";
import type { Readable } from "./observable.ts";
import type { Platform } from "./ports.ts";
import type { Preferences } from "./preferences/preferences.ts";
import type { Rest } from "./rest/rest.ts";
import type { StorageState } from "./store/watched-store.ts";
import type { ClientStore } from "@hearth/store";
import type { AccountSync } from "./sync/account-sync.ts";

/** The client without its screens. */
export interface Client {
  readonly platform: Platform;
  readonly rest: Rest;
  readonly accounts: Accounts;
  readonly instance: ClientInstance;
  readonly connections: Connections;
  readonly store: ClientStore;
  readonly storage: Readable<StorageState>;
  readonly servers: Servers;
  readonly chat: Chat;
  readonly blocks: Blocks;
  readonly sync: AccountSync;
  readonly preferences: Preferences;
  /** Reads the storage, then connects if there is an account. */
  start(): Promise<void>;
  stop(): void;
}
