/** A clock that only the test moves. */
export interface FakeClock {
  now(): number;
  later(milliseconds: number, run: () => void): () => void;
  /** Runs what is due in order of time, and lets promises and stores settle in between. */
  advance(milliseconds: number): Promise<void>;
  /** Jumps without running anything, as after a sleep. */
  jump(milliseconds: number): void;
  /** How many timers wait. */
  readonly waiting: number;
}

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly run: () => void;
}

/** Globals of the test runner; the client's own program only knows those of pages. */
declare const setImmediate: (run: () => void) => unknown;

/** Fakes may need several turns of the event loop. A timer would wait for a millisecond. */
const TURNS_IN_ONE = 50;

/** Waits until promises and the fakes' turns of the event loop have settled. */
export const settled = async (turns = 2): Promise<void> => {
  for (let turn = 0; turn < turns * TURNS_IN_ONE; turn += 1)
    await new Promise<void>((resolve) => setImmediate(resolve));
};

/** Waits for stores that need an unknown number of turns, as long as a test may take. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await settled(1);
}

export function createFakeClock(start = Date.UTC(2026, 0, 5, 12)): FakeClock {
  const timers = new Set<Timer>();
  let time = start;
  let count = 0;
  const nextUntil = (end: number): Timer | undefined =>
    [...timers].filter(({ due }) => due <= end).toSorted((a, b) => a.due - b.due || a.order - b.order)[0];
  return {
    now: () => time,
    later(milliseconds, run) {
      const timer = { due: time + Math.ceil(Math.max(0, milliseconds)), order: (count += 1), run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(milliseconds) {
      const end = time + milliseconds;
      await settled();
      for (let timer = nextUntil(end); timer !== undefined; timer = nextUntil(end)) {
        timers.delete(timer);
        time = Math.max(time, timer.due);
        timer.run();
        await settled(1);
      }
      time = end;
      await settled();
    },
    jump: (milliseconds) => void (time += milliseconds),
    get waiting() {
      return timers.size;
    },
  };
}
