import process from "node:process";
import type * as Fake from "fake-indexeddb";

/*
 * The database in memory is loaded outside of the test runner's context, in which a look at a global costs so much that
 * the comparison of keys, which looks at several, takes most of the time.
 */
const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);
const { IDBFactory, forceCloseDatabase, ...interfaces } = require("fake-indexeddb") as typeof Fake;

Object.assign(globalThis, interfaces);

/** A place for databases that no other test knows. */
export const fakeFactory = (): IDBFactory => new IDBFactory();

/** Ends a connection as a browser does whose person clears what it has stored. */
export const forceClose = forceCloseDatabase as unknown as (database: IDBDatabase) => void;
