/** DI2: what counts towards the trending list, and how fast it fades. */
const HALF_LIFE_MS = 2 * 24 * 60 * 60_000;
const POINTS = { join: 5, message: 1 } as const;

/**
 * The base-2 logarithm of a score, every point of which has been multiplied by two to the number of half-lives
 * between 1970 and the time it was earned. All scores fade at the same pace, so two heat values compare as the decayed
 * scores do, at any later time, and no row is rewritten only because time passes. The logarithm keeps it from
 * overflowing. `COLD` is a server where nothing ever happened.
 */
export type Heat = number;

export const COLD: Heat = 0;

const at = (points: number, time: number): Heat => Math.log2(points) + time / HALF_LIFE_MS;

/** `heat` after `points` more were earned at `time` (epoch ms); late and out-of-order additions count the same. */
export function heated(heat: Heat, points: number, time: number): Heat {
  if (!(points > 0)) return heat;
  const added = at(points, time);
  const hotter = Math.max(heat, added);
  return hotter + Math.log2(1 + 2 ** (Math.min(heat, added) - hotter));
}

/** The decayed score itself, as of `time`. */
export const scoreAt = (heat: Heat, time: number): number =>
  heat === COLD ? 0 : 2 ** (heat - time / HALF_LIFE_MS);

export const joinPoints = (joins: number): number => joins * POINTS.join;
export const messagePoints = (messages: number): number => messages * POINTS.message;
