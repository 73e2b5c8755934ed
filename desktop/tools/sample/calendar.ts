import type { Random } from "./random.ts";
import type { Rhythm } from "./sample-rooms.ts";

const DAY_MS = 86_400_000;
export const YEAR_MS = 365 * DAY_MS;

/** In midsummer and at the turn of the year people write less. */
const season = [1.1, 1, 1, 1, 1.05, 1, 0.75, 0.7, 1, 1.1, 1.15, 0.95];

const startOfDay = (at: number): number => at - (at % DAY_MS);

/** Start times of conversations in the year up to `end`, in order; years and days are in UTC. */
export function beginnings(random: Random, rhythm: Rhythm, perWeek: number, end: number): readonly number[] {
  const busiest = rhythm.days.reduce((sum, weight) => sum + weight, 0);
  const hours = Object.keys(rhythm.hours).map(Number);
  const weights = Object.values(rhythm.hours);
  const times: number[] = [];
  for (let day = startOfDay(end - YEAR_MS); day < end; day += DAY_MS) {
    const date = new Date(day);
    const expected =
      perWeek * ((rhythm.days[date.getUTCDay()] ?? 0) / busiest) * (season[date.getUTCMonth()] ?? 1);
    let count = Math.floor(expected) + (random.chance(expected % 1) ? 1 : 0);
    for (; count > 0; count -= 1) {
      const hour = hours[random.weighted(weights)] ?? 12;
      times.push(day + hour * 3_600_000 + random.between(0, 3_599_999));
    }
  }
  return times.filter((at) => at >= end - YEAR_MS && at < end - 3_600_000).sort((a, b) => a - b);
}

/** The time until the next line: reading, typing, and an occasional pause. */
export function pause(random: Random, text: string): number {
  const typing = 2_500 + text.length * random.between(60, 190);
  if (random.chance(0.07)) return typing + random.between(4 * 60_000, 35 * 60_000);
  return typing + random.between(3_000, random.chance(0.3) ? 240_000 : 50_000);
}
