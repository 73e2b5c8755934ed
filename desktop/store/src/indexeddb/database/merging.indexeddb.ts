type Key = string | string[];

const nameOf = (key: Key): string => JSON.stringify(key);

/**
 * Reads all records of a transaction at once and writes them at once, because parallel requests cost little more than
 * one.
 */
export class Records<Asked extends Key, Value> {
  readonly #values = new Map<string, Value>();
  readonly #changed = new Set<string>();

  static async read<Asked extends Key, Value>(
    keys: readonly Asked[],
    get: (key: Asked) => Promise<Value | undefined>,
  ): Promise<Records<Asked, Value>> {
    const records = new Records<Asked, Value>();
    const distinct = new Map(keys.map((key) => [nameOf(key), key]));
    const reading = [...distinct].map(async ([name, key]) => {
      const value = await get(key);
      if (value !== undefined) records.#values.set(name, value);
    });
    await Promise.all(reading);
    return records;
  }

  get(key: Asked): Value | undefined {
    return this.#values.get(nameOf(key));
  }

  set(key: Asked, value: Value): void {
    const name = nameOf(key);
    this.#values.set(name, value);
    this.#changed.add(name);
  }

  async write(put: (value: Value) => Promise<unknown>): Promise<void> {
    const writing = [...this.#values].map(async ([name, value]) => {
      if (this.#changed.has(name)) await put(value);
    });
    await Promise.all(writing);
  }
}

/** How records of one object store are found, saved and merged. */
interface Merge<Asked extends Key, Value> {
  readonly keyOf: (record: Value) => Asked;
  readonly get: (key: Asked) => Promise<Value | undefined>;
  readonly put: (record: Value) => Promise<unknown>;
  /** `undefined` leaves the known record as it is. */
  readonly merged: (arriving: Value, known: Value) => Value | undefined;
}

/** Merges arriving records, several of which may share a key; returns those that changed something. */
export async function mergeRecords<Asked extends Key, Value>(
  arriving: readonly Value[],
  { keyOf, get, put, merged }: Merge<Asked, Value>,
): Promise<Value[]> {
  const records = await Records.read(arriving.map(keyOf), get);
  const changing = arriving.filter((record) => {
    const key = keyOf(record);
    const known = records.get(key);
    const next = known === undefined ? record : merged(record, known);
    if (next !== undefined) records.set(key, next);
    return next !== undefined;
  });
  await records.write(put);
  return changing;
}
