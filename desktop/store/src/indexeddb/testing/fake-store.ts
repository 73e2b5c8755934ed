import { openIndexedDbStore } from "../open.indexeddb.ts";
import type { IndexedDbStore } from "../open.indexeddb.ts";
import { fakeFactory } from "./fake-indexeddb.ts";

/** An in-memory client store, empty unless the factory has data. */
export const openFakeStore = (now: () => number, factory = fakeFactory()): Promise<IndexedDbStore> =>
  openIndexedDbStore({ name: "hearth", now, factory });
