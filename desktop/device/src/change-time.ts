/**
 * The time of a change. It is the clock's, except that it always grows: two changes in one millisecond, and those made
 * after the clock was set back, get the millisecond behind the last change. So nothing that changes later can end up in
 * front of a place that a reader of changes has passed, and no change is ever dated before it happened; it may be dated
 * later, by as much as the clock was ahead before.
 */
export const nextChangeTime = (last: number, now: number): number => Math.max(Math.floor(now), last + 1);
