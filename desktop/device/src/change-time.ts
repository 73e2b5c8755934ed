/**
 * The time of a change: the clock's time, but always increasing. Two changes in one millisecond, and those after the
 * clock was set back, get the millisecond after the last change. So a reader of changes never misses a later one, and
 * no change is dated before it happened. It may be dated later, by as much as the clock was ahead before.
 */
export const nextChangeTime = (last: number, now: number): number => Math.max(Math.floor(now), last + 1);
