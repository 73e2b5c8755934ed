/** DI2: what counts towards the trending list, and how fast it decays. */
const HALF_LIFE_MS = 2 * 24 * 60 * 60_000;
const POINTS = { join: 5, message: 1 } as const;

/**
 * The logarithm (base 2) of a server's score, in which every point is weighted by 2^(half-lives from 1970 to the time it
 * was earned). All scores decay at the same rate, so heat values compare like the decayed scores at any later time, and
 * no row needs an update because time passes. The logarithm prevents overflow. `COLD` belongs to a server without points.
 */
export type Heat = number;

export const COLD: Heat = 0;

const heatOf = (points: number, time: number): Heat => Math.log2(points) + time / HALF_LIFE_MS;

/** Adds points that were earned at `time` (epoch ms); the order of additions does not matter. */
export function heated(heat: Heat, points: number, time: number): Heat {
  if (!(points > 0)) return heat;
  const added = heatOf(points, time);
  const hotter = Math.max(heat, added);
  return hotter + Math.log2(1 + 2 ** (Math.min(heat, added) - hotter));
}

/** The decayed score at `time`. */
export const scoreAt = (heat: Heat, time: number): number =>
  heat === COLD ? 0 : 2 ** (heat - time / HALF_LIFE_MS);

export const joinPoints = (joins: number): number => joins * POINTS.join;
export const messagePoints = (messages: number): number => messages * POINTS.message;
