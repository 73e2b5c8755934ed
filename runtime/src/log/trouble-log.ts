import type { Log } from "./log.ts";

/** Logs trouble that lasts only once: at `level` when its code changes, at `debug` while it stays the same. */
export class TroubleLog {
  readonly #log: Log;
  readonly #level: "warn" | "error";
  #code: string | undefined;

  constructor(log: Log, level: "warn" | "error" = "warn") {
    this.#log = log;
    this.#level = level;
  }

  report(code: string, message: string): void {
    this.#log[code === this.#code ? "debug" : this.#level]({ code }, message);
    this.#code = code;
  }

  /** The trouble is over; the same code is logged again. */
  clear(): void {
    this.#code = undefined;
  }
}
