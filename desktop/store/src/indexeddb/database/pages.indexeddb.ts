import { unwrap, wrap } from "idb";
import type { IDBPIndex, IndexNames } from "idb";
import type { DeviceSchema, StoreName, StoredMessage } from "./schema.indexeddb.ts";

/** An index that orders messages. */
export type MessageOrder = IDBPIndex<
  DeviceSchema,
  StoreName[],
  "messages",
  IndexNames<DeviceSchema, "messages">
>;

export interface StoredPage {
  /** In the order of the index. */
  readonly rows: readonly StoredMessage[];
  readonly hasMore: boolean;
}

/** The first messages of a range. */
export async function firstOf(order: MessageOrder, range: IDBKeyRange, limit: number): Promise<StoredPage> {
  const rows = await order.getAll(range, limit + 1);
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** The n-th message of a range, from 0; skips the earlier ones by key. */
export async function nth(
  order: MessageOrder,
  range: IDBKeyRange,
  n: number,
): Promise<StoredMessage | undefined> {
  const id = (await order.getAllKeys(range, n + 1)).at(n);
  return id === undefined ? undefined : order.objectStore.get(id);
}

/** An index in a browser that can read backwards; such browsers also have `getAllRecords`. */
interface ReversibleIndex {
  getAll(options: {
    readonly query: IDBKeyRange;
    readonly count: number;
    readonly direction: "prev";
  }): IDBRequest<StoredMessage[]>;
}

const isReversible = (index: object): index is ReversibleIndex => "getAllRecords" in index;

/** The last messages of a range, in the order of the index. */
export async function lastOf(order: MessageOrder, range: IDBKeyRange, limit: number): Promise<StoredPage> {
  const index: object = unwrap(order);
  if (!isReversible(index)) return lastByCursor(order, range, limit);
  const rows = await wrap(index.getAll({ query: range, count: limit + 1, direction: "prev" }));
  return { rows: rows.slice(0, limit).toReversed(), hasMore: rows.length > limit };
}

/**
 * For browsers that cannot: finds the first key with a key cursor, then reads all at once, because a cursor over
 * messages would make one request each.
 */
async function lastByCursor(order: MessageOrder, range: IDBKeyRange, limit: number): Promise<StoredPage> {
  const last = await order.openKeyCursor(range, "prev");
  const cursor = limit > 1 ? await last?.advance(limit - 1) : last;
  if (!cursor) return { rows: await order.getAll(range), hasMore: false };
  const page = IDBKeyRange.bound(cursor.key, range.upper, false, range.upperOpen);
  const [more, rows] = await Promise.all([cursor.advance(1), order.getAll(page)]);
  return { rows, hasMore: more !== null };
}
