import { type Dial, dialPlain, dialSocketIo } from "../client/index.ts";

/** The same seed repeats a run. */
export const SEED = Number(process.env["SEED"] ?? "20261120");
export const MINUTES = 60_000;

const DIALS: readonly Dial[] = [dialPlain, dialSocketIo];

/** Alternates between the doors. */
export const dialFor = (run: number): Dial => DIALS[run % 2] ?? dialPlain;

/** Does `count` runs, `atOnce` in parallel; an error names the run and the seed. */
export const repeatedly = async (
  count: number,
  atOnce: number,
  work: (run: number) => Promise<void>,
): Promise<void> => {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const run = next;
      next += 1;
      await work(run).catch((error: unknown) => {
        throw new Error(
          `run ${run} (seed ${SEED}): ${error instanceof Error ? error.message : String(error)}`,
        );
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
};

/**
 * Works on `size` items in parallel, then on the next ones. With fewer requests in flight at a limit's edge, none
 * times out on a busy machine.
 */
export const inRounds = async <Item, Result>(
  items: readonly Item[],
  size: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += size) {
    const round = items.slice(from, from + size).map((item, n) => work(item, from + n));
    results.push(...(await Promise.all(round)));
  }
  return results;
};
