import { openIndexedDbStore } from "../open.indexeddb.ts";
import type { IndexedDbStore } from "../open.indexeddb.ts";
import { fakeFactory } from "./fake-indexeddb.ts";

/** A client's store in memory, empty unless the factory knows it already. */
export const openFakeStore = (now: () => number, factory = fakeFactory()): Promise<IndexedDbStore> =>
  openIndexedDbStore({ name: "hearth", now, factory });
