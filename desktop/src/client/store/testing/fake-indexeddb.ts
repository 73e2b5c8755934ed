import process from "node:process";
import type * as Fake from "fake-indexeddb";
import { openIndexedDbStore } from "../open.indexeddb.ts";
import type { IndexedDbStore } from "../open.indexeddb.ts";

/*
 * The database in memory is loaded outside of the test runner's context, in which a look at a global costs so much that
 * the comparison of keys, which looks at several, takes most of the time.
 */
const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);
const { IDBFactory, ...interfaces } = require("fake-indexeddb") as typeof Fake;

Object.assign(globalThis, interfaces);

/** A place for databases that no other test knows. */
export const fakeFactory = (): IDBFactory => new IDBFactory();

/** An empty store of a client in memory. */
export const openFakeStore = (now: () => number, factory = fakeFactory()): Promise<IndexedDbStore> =>
  openIndexedDbStore({ name: "hearth", now, factory });
