/** Runs `run` later. Returns a function that cancels it. */
export type Later = (milliseconds: number, run: () => void) => () => void;

export const later: Later = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

/** How long the window waits for the app before it says that there was no answer. */
export const PATIENCE_MS = 15_000;

/** The app has not answered in time. */
export class NoAnswer extends Error {
  constructor() {
    super("The app did not answer");
    this.name = "NoAnswer";
  }
}

/** What `ask` resolves to, or rejects with; `NoAnswer` where neither happens in time. */
export async function answerWithin<T>(
  ask: () => Promise<T>,
  wait: Later,
  milliseconds = PATIENCE_MS,
): Promise<T> {
  const limit = Promise.withResolvers<never>();
  const calledOff = wait(milliseconds, () => limit.reject(new NoAnswer()));
  try {
    return await Promise.race([ask(), limit.promise]);
  } finally {
    calledOff();
  }
}
