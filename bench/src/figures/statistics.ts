/** The median; NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? NaN) + upper) / 2 : upper;
}

/** The percentile by nearest rank; NaN without values. */
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

/** The ratio of each repetition to the other side's same repetition, measured next to it. */
export function pairedRatios(ours: readonly number[], theirs: readonly number[]): number[] {
  if (ours.length !== theirs.length) throw new Error("The two sides have different numbers of repetitions");
  return ours.map((value, repetition) => value / (theirs[repetition] ?? NaN));
}
