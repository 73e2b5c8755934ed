import type { Results } from "../../figures/results.ts";

/** One of the things that `cluster` measures. */
export interface ClusterPart {
  /** Measures everything once; into nothing while it warms up. */
  measure(results: Results | undefined, quick: boolean): Promise<void>;
  stop(): Promise<void>;
}

export const stopAll = async (parts: readonly { stop(): Promise<void> }[]): Promise<void> => {
  for (const part of parts) await part.stop();
};

/**
 * The same part with two sets of processes, of which each repetition measures the next: two processes with the same code
 * and the same load differ by some 5 % for as long as they live.
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
