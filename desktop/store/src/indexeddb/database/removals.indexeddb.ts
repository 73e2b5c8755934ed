import { outlives } from "@hearth/device";
import { Records } from "./merging.indexeddb.ts";
import type { StoreName, WriteTransaction } from "./schema.indexeddb.ts";

/** What can be removed and come back. */
export type Removable = "room" | "room user" | "ban" | "friend" | "emoji";

type RemovalKey = [kind: Removable, id: string, member: string];
type Transaction = WriteTransaction<StoreName>;

/** What a removal is about; the member is empty but for people of a room. */
export const removalKey = (kind: Removable, id: string, member = ""): RemovalKey => [kind, id, member];

/** Those records against which no removal stands. */
export async function admitted<Kept>(
  transaction: Transaction,
  arriving: readonly Kept[],
  of: (record: Kept) => { readonly key: RemovalKey; readonly beganAt: number },
): Promise<Kept[]> {
  const store = transaction.objectStore("removals");
  const removals = await Records.read(
    arriving.map((record) => of(record).key),
    (key) => store.get(key),
  );
  return arriving.filter((record) => {
    const { key, beganAt } = of(record);
    return outlives(beganAt, removals.get(key)?.removedAt);
  });
}

/** Keeps the removal; true when it ends what is known, which began then. */
export async function ends(
  transaction: Transaction,
  key: RemovalKey,
  beganAt: number | undefined,
  at: number | undefined,
): Promise<boolean> {
  const time = at ?? beganAt;
  if (time === undefined) return false;
  const store = transaction.objectStore("removals");
  const removedAt = Math.max(time, (await store.get(key))?.removedAt ?? time);
  const [kind, id, member] = key;
  await store.put({ kind, id, member, removedAt });
  return beganAt !== undefined && !outlives(beganAt, time);
}
