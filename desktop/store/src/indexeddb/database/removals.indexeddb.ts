import { outlives } from "@hearth/device";
import { Records } from "./merging.indexeddb.ts";
import type { StoreName, WriteTransaction } from "./schema.indexeddb.ts";

/** Kinds of records that can be removed and added again. */
export type Removable = "room" | "room user" | "ban" | "friend" | "emoji";

type RemovalKey = [kind: Removable, id: string, member: string];
type Transaction = WriteTransaction<StoreName>;

/** The key of a removal; the member is empty except for users of a room. */
export const removalKey = (kind: Removable, id: string, member = ""): RemovalKey => [kind, id, member];

/** The records that no removal wins over. */
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

/** Saves the removal; true if it ends the known record. */
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
