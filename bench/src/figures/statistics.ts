/** The middle value; the mean of the two middle ones where the count is even. Of nothing: NaN. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? NaN) + upper) / 2 : upper;
}

/** The smallest value that at least `percent` % of the values do not exceed (nearest rank). Of nothing: NaN. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length));
  return sorted[rank - 1] ?? NaN;
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export const spread = (values: readonly number[]): Spread => ({
  median: median(values),
  min: values.length > 0 ? Math.min(...values) : NaN,
  max: values.length > 0 ? Math.max(...values) : NaN,
});

/** The ratio of each repetition to the other side's same repetition; both were measured next to each other. */
export function pairedRatios(ours: readonly number[], theirs: readonly number[]): number[] {
  if (ours.length !== theirs.length) throw new Error("The two sides have different numbers of repetitions");
  return ours.map((value, repetition) => value / (theirs[repetition] ?? NaN));
}
