import "fake-indexeddb/auto";
import { IDBFactory, forceCloseDatabase } from "fake-indexeddb";

/** A place for databases that no other test knows. */
export const fakeFactory = (): IDBFactory => new IDBFactory();

/** Ends a connection as a browser does whose person clears what it has stored. */
export const forceClose = forceCloseDatabase as unknown as (database: IDBDatabase) => void;
