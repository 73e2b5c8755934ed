const WRITES = new Set(["create", "updateOne", "updateMany", "deleteOne", "deleteMany", "replaceOne"]);

class Crashed extends Error {}

export interface Crashing<Collections> {
  /** Whether the process has crashed. */
  readonly life: { readonly crashed: boolean };
  readonly collections: Collections;
}

/** Collections of a process that crashes instead of its write number `last`, and does nothing afterwards. */
export function crashing<Collections extends Readonly<Record<string, object>>>(
  collections: Collections,
  last: number,
): Crashing<Collections> {
  const life = { writes: 0, crashed: false };
  const wrapped = Object.entries(collections).map(([name, model]) => [
    name,
    new Proxy(model, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== "function") return member;
        const method = member as (...args: unknown[]) => unknown;
        return (...args: unknown[]) => {
          if (!life.crashed && WRITES.has(String(key))) life.crashed = life.writes++ === last;
          if (life.crashed) throw new Crashed();
          return method.apply(target, args);
        };
      },
    }),
  ]);
  return { life, collections: Object.fromEntries(wrapped) as Collections };
}

/** Resolves when the work is done or its process has crashed ({@link crashing}). Rejects with any other error. */
export async function untilCrash(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof Crashed)) throw error;
  });
}
