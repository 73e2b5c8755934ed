import type { Log } from "../log/log.ts";
import { within } from "../timing/within.ts";
import { handleProcessEvents } from "./process-events.ts";

/** Something that runs from the start of a process to its end. */
export interface Part {
  readonly name: string;
  /** `stopping` is aborted when the process is to stop before this is done. */
  start?(stopping: AbortSignal): Promise<void>;
  stop?(): Promise<void>;
  /** How long its `stop` is waited for; default 3,000 ms. */
  readonly stopLimitMs?: number;
}

export interface LifecycleOptions {
  readonly log: Log;
  /** After this many milliseconds of stopping on a signal the process ends with code 1; default 5,000. */
  readonly hardLimitMs?: number;
}

/** Starts the parts of a process in order and stops them in reverse. */
export interface Lifecycle {
  add(part: Part): void;
  /** When one part fails, those that have started are stopped and the failure is thrown. */
  start(): Promise<void>;
  /** Every part is stopped, also behind one that fails or is too slow; resolves to false when one was. */
  stop(): Promise<boolean>;
  /**
   * SIGINT and SIGTERM stop the parts and end the process; a second one ends it at once. So does, with code 1, an
   * error that nobody caught. Returns what takes the handlers off again.
   */
  handleSignals(): () => void;
}

const STOP_LIMIT_MS = 3_000;

class OrderedLifecycle implements Lifecycle {
  readonly #log: Log;
  readonly #hardLimitMs: number;
  readonly #parts: Part[] = [];
  readonly #started: Part[] = [];
  readonly #ending = new AbortController();
  #starting: Promise<void> | undefined;
  #stopping: Promise<boolean> | undefined;

  constructor({ log, hardLimitMs = 5_000 }: LifecycleOptions) {
    this.#log = log;
    this.#hardLimitMs = hardLimitMs;
  }

  add(part: Part): void {
    this.#parts.push(part);
  }

  start(): Promise<void> {
    this.#starting ??= Promise.resolve().then(() => this.#startAll());
    return this.#starting;
  }

  stop(): Promise<boolean> {
    this.#stopping ??= this.#stopAfterStart();
    this.#ending.abort();
    return this.#stopping;
  }

  handleSignals(): () => void {
    return handleProcessEvents({
      log: this.#log,
      hardLimitMs: this.#hardLimitMs,
      stop: () => this.stop(),
    });
  }

  async #startAll(): Promise<void> {
    for (const part of this.#parts) {
      if (this.#stopping) return;
      try {
        await part.start?.(this.#ending.signal);
        this.#started.push(part);
      } catch (error) {
        await this.#stopAll();
        throw error;
      }
    }
  }

  /** A signal may come while parts are starting: the one under way is let finish, the rest never start. */
  async #stopAfterStart(): Promise<boolean> {
    await this.#starting?.catch(() => undefined);
    return this.#stopAll();
  }

  async #stopAll(): Promise<boolean> {
    let clean = true;
    for (const part of this.#started.splice(0).reverse()) {
      try {
        const limitMs = part.stopLimitMs ?? STOP_LIMIT_MS;
        const stopped = Promise.resolve(part.stop?.());
        await within(limitMs, stopped, () => new Error(`not done within ${limitMs} ms`));
      } catch (error) {
        clean = false;
        this.#log.error({ part: part.name, err: error }, "a part did not stop cleanly");
      }
    }
    return clean;
  }
}

export const createLifecycle = (options: LifecycleOptions): Lifecycle => new OrderedLifecycle(options);
