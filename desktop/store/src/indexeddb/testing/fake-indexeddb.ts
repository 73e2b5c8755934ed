import "fake-indexeddb/auto";
import { IDBFactory, forceCloseDatabase } from "fake-indexeddb";

/** A factory without other databases. */
export const fakeFactory = (): IDBFactory => new IDBFactory();

/** Closes a connection like a browser whose user clears the site data. */
export const forceClose = forceCloseDatabase as unknown as (database: IDBDatabase) => void;
