import type { Results } from "./results.ts";
import { pairedRatios, spread } from "./statistics.ts";
import type { Spread } from "./statistics.ts";

/**
 * A target. `against` names the peer of the ratio, which did the same work unless `againstWork` names another;
 * without a peer the target applies to the value itself.
 */
export interface Goal {
  readonly title: string;
  readonly work: string;
  readonly subject: string;
  readonly against?: string;
  readonly againstWork?: string;
  readonly metric: string;
  readonly kind: "at most" | "at least";
  readonly limit: number;
}

export interface Verdict {
  readonly goal: Goal;
  readonly value: Spread;
  readonly reached: boolean;
}

const valueOf = (results: Results, { work, subject, against, againstWork = work, metric }: Goal): Spread => {
  const ours = results.valuesOf(work, subject, metric);
  if (against === undefined) return spread(ours);
  return spread(pairedRatios(ours, results.valuesOf(againstWork, against, metric)));
};

/** Judges by the median; omits goals whose work was not measured. */
export function judge(results: Results, goals: readonly Goal[]): Verdict[] {
  return goals
    .filter(({ work, subject, metric }) => results.valuesOf(work, subject, metric).length > 0)
    .map((goal) => {
      const value = valueOf(results, goal);
      const reached = goal.kind === "at most" ? value.median <= goal.limit : value.median >= goal.limit;
      return { goal, value, reached };
    });
}
