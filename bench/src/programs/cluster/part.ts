import type { Results } from "../../figures/results.ts";

/** One part of `cluster`. */
export interface ClusterPart {
  /** Measures everything once; drops the results while warming up. */
  measure(results: Results | undefined, quick: boolean): Promise<void>;
  stop(): Promise<void>;
}

export const stopAll = async (parts: readonly { stop(): Promise<void> }[]): Promise<void> => {
  for (const part of parts) await part.stop();
};

/**
 * The same part with two alternating sets of processes, because two processes with the same code and load differ by
 * some 5 % for their lifetime.
 */
export async function alternating(start: () => Promise<ClusterPart>): Promise<ClusterPart> {
  const sets = [await start(), await start()];
  let repetition = 0;
  return {
    async measure(results, quick) {
      const next = results ? [sets[repetition++ % sets.length]] : sets;
      for (const set of next) await set?.measure(results, quick);
    },
    stop: () => stopAll(sets),
  };
}
