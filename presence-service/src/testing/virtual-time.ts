import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "@hearth/runtime";

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** Turns of the event loop in which all work that does not sleep is done. */
const TURNS = 4;

/** Time that passes only when all work that does not sleep is done. */
export class VirtualTime implements Clock {
  private at = 1_700_000_000_000;
  /** Latest first. */
  private readonly sleepers: Sleeper[] = [];

  now(): number {
    return this.at;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      const due = this.at + ms;
      let index = this.sleepers.length;
      while (index > 0 && (this.sleepers[index - 1]?.due ?? Infinity) <= due) index -= 1;
      this.sleepers.splice(index, 0, { due, wake });
    });
  }

  /** Does all work that does not sleep, then wakes the next sleeper. Returns false if there is none. */
  async step(until = Infinity): Promise<boolean> {
    for (let n = 0; n < TURNS; n++) await turn();
    const next = this.sleepers.at(-1);
    if (!next || next.due > until) return false;
    this.sleepers.pop();
    this.at = Math.max(this.at, next.due);
    next.wake();
    return true;
  }

  /** Lets time pass. */
  async pass(ms: number): Promise<void> {
    const until = this.at + ms;
    while (await this.step(until));
    this.at = until;
  }
}
