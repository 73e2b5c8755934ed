const WRITES = new Set(["create", "updateOne", "updateMany", "deleteOne", "deleteMany", "replaceOne"]);

class Died extends Error {}

export interface Mortal<Collections> {
  /** Whether it has died yet. */
  readonly life: { readonly dead: boolean };
  readonly collections: Collections;
}

/** Collections of a process that dies instead of making its write number `last`, and does nothing from then on. */
export function mortal<Collections extends Readonly<Record<string, object>>>(
  collections: Collections,
  last: number,
): Mortal<Collections> {
  const life = { writes: 0, dead: false };
  const wrapped = Object.entries(collections).map(([name, model]) => [
    name,
    new Proxy(model, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== "function") return member;
        const method = member as (...given: unknown[]) => unknown;
        return (...given: unknown[]) => {
          if (!life.dead && WRITES.has(String(key))) life.dead = life.writes++ === last;
          if (life.dead) throw new Died();
          return method.apply(target, given);
        };
      },
    }),
  ]);
  return { life, collections: Object.fromEntries(wrapped) as Collections };
}

/** Resolves when the work is done or its process has died of {@link mortal}; rejects with whatever else went wrong. */
export async function untilDeath(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof Died)) throw error;
  });
}
