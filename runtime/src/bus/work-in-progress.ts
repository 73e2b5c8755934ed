import type { Log } from "../log/log.ts";

/** The requests and handlers that a bus has to finish before it may close. */
export class WorkInProgress {
  readonly #log: Log;
  readonly #others: () => boolean;
  #handling = 0;
  #whenIdle: (() => void) | undefined;

  /** `others` is true when only handlers are still running. */
  constructor(log: Log, others: () => boolean) {
    this.#log = log;
    this.#others = others;
  }

  /** Runs the handler of an event and logs its failure. */
  async handle(subject: string, run: () => void | Promise<void>): Promise<void> {
    this.#handling += 1;
    try {
      await run();
    } catch (error) {
      this.#log.error({ subject, err: error }, "an event handler failed");
    }
    this.#handling -= 1;
    this.settled();
  }

  /** Must be called whenever a request or a handler has ended. */
  settled(): void {
    if (this.#whenIdle && this.#isIdle()) this.#whenIdle();
  }

  async idle(limitMs: number): Promise<void> {
    if (this.#isIdle()) return;
    await new Promise<void>((resolve) => {
      const limit = setTimeout(resolve, limitMs);
      this.#whenIdle = () => {
        clearTimeout(limit);
        resolve();
      };
    });
  }

  #isIdle(): boolean {
    return this.#handling === 0 && this.#others();
  }
}
