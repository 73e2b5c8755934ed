import type { Log } from "../log/log.ts";
import { within } from "../timing/within.ts";
import { handleProcessEvents } from "./process-events.ts";

/** A part of a process that starts and stops with it. */
export interface Part {
  readonly name: string;
  /** `stopping` is aborted when the process has to stop before this part has started. */
  start?(stopping: AbortSignal): Promise<void>;
  stop?(): Promise<void>;
  /** How long its `stop` may take; default 3,000 ms. */
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
  /** When a part fails, stops the parts that have started and rejects with the error. */
  start(): Promise<void>;
  /** Stops every part. Resolves to false when one failed or was too slow. */
  stop(): Promise<boolean>;
  /**
   * SIGINT and SIGTERM stop the parts and end the process; a second signal ends it at once. An uncaught error stops the
   * parts too and ends the process with code 1. Returns a function that removes the handlers.
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

  /** A signal may arrive during the start: the part that is starting finishes, the rest never start. */
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
