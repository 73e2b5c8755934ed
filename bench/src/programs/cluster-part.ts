import type { Results } from "../figures/results.ts";

/** One of the things that `cluster` measures. */
export interface ClusterPart {
  /** Measures everything once; into nothing while it warms up. */
  measure(results: Results | undefined, quick: boolean): Promise<void>;
  stop(): Promise<void>;
}

export const stopAll = async (parts: readonly { stop(): Promise<void> }[]): Promise<void> => {
  for (const part of parts) await part.stop();
};
