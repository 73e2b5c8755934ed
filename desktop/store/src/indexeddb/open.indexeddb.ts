import { z } from "zod";
import type { ClientStore } from "../history.ts";
import { accountReader, accountWriter } from "./account.indexeddb.ts";
import { storeCalls } from "./database/calls.indexeddb.ts";
import type { StoreCalls } from "./database/calls.indexeddb.ts";
import { LazyDatabase } from "./database/database.indexeddb.ts";
import { messageDropper } from "./dropping.indexeddb.ts";
import { historyReader } from "./history.indexeddb.ts";
import { fullMessagesReader } from "./full-messages.indexeddb.ts";
import { messageExtrasReader, messageExtrasWriter } from "./message-extras.indexeddb.ts";
import { messagesReader } from "./messages-reader.indexeddb.ts";
import { messagesWriter } from "./messages-writer.indexeddb.ts";
import { peopleReader, peopleWriter } from "./people.indexeddb.ts";
import { pluginDataReader, pluginDataWriter } from "./plugin-data.indexeddb.ts";
import { roomPeopleReader, roomPeopleWriter } from "./room-people.indexeddb.ts";
import { roomsReader, roomsWriter } from "./rooms.indexeddb.ts";
import { usageReader } from "./database/usage.indexeddb.ts";
import { CONTENT_STORES, migrations } from "./database/schema.indexeddb.ts";

export interface IndexedDbStoreOptions {
  readonly name: string;
  /** Epoch ms of this device's clock. */
  readonly now: () => number;
  /** The browser's own by default. */
  readonly factory?: IDBFactory;
  /** How long a call waits while another tab blocks the database. */
  readonly patienceMs?: number;
}

export interface IndexedDbStore extends ClientStore {
  /** May be called twice. Afterwards every call rejects with `STORAGE_FAILED`. */
  close(): void;
}

const eraser = ({ write }: StoreCalls): Pick<ClientStore, "eraseAll"> => ({
  eraseAll: write(CONTENT_STORES, z.tuple([]), async (transaction) => {
    await Promise.all(CONTENT_STORES.map((name) => transaction.objectStore(name).clear()));
  }),
});

/**
 * The store of a browser. If the database cannot be opened, every call tries again and rejects with `STORAGE_FAILED`.
 * A call without space rejects with `STORAGE_FULL`.
 */
export async function openIndexedDbStore(options: IndexedDbStoreOptions): Promise<IndexedDbStore> {
  const { name, factory, patienceMs, now } = options;
  const database = new LazyDatabase({ name, migrations, factory, patienceMs });
  const calls = storeCalls({ database, now });
  const store: IndexedDbStore = {
    ...roomsWriter(calls),
    ...roomPeopleWriter(calls),
    ...peopleWriter(calls),
    ...messagesWriter(calls),
    ...messageDropper(calls),
    ...messageExtrasWriter(calls),
    ...accountWriter(calls),
    ...pluginDataWriter(calls),
    ...roomsReader(calls),
    ...roomPeopleReader(calls),
    ...peopleReader(calls),
    ...messagesReader(calls),
    ...messageExtrasReader(calls),
    ...accountReader(calls),
    ...pluginDataReader(calls),
    ...historyReader(calls),
    ...fullMessagesReader(calls),
    ...usageReader(calls),
    ...eraser(calls),
    close: () => {
      database.close();
    },
  };
  // Opened now, so that the first screen need not wait. Every call retries and reports failures.
  await store.profile().catch(() => undefined);
  return store;
}
