import { setTimeout } from "node:timers/promises";
import { ProblemError } from "@hearth/contracts";
import type { Clock } from "@hearth/runtime";
import type { Renewal } from "./roster/roster.ts";

/** So long after asking, a node that heard that it is the only one counts on it; others wait as long before they begin. */
export const ALONE_MS = 1_500;
/** Two machines do not measure it alike. */
const MARGIN_MS = 100;
/** A node that has not renewed itself for so long was held up, or could not reach the roster. */
const BREAK_MS = 3_000;
/** After a break, the time in which every node that lives has renewed itself. */
const SETTLING_MS = 3_000;

/** A time by two clocks: a machine that sleeps holds the second, and the first can be set back. Both must agree. */
interface Moment {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: number;
}

const LONG_AGO: Moment = { now: -Infinity, elapsed: -Infinity };

/**
 * What a node knows of its cluster: whether it is the only node, and whether it may admit connections. The only node
 * publishes nothing. It relies on being alone for {@link ALONE_MS} at a time, and a new node identifies nobody for as long,
 * so that a connection identified there misses no message.
 */
export class ClusterMembership {
  readonly #clock: Clock;
  #askedAlone = LONG_AGO;
  #admitsFrom = 0;
  /** When the roster last heard of this node, and since when it has without a break. */
  #renewedAt = -Infinity;
  #steadySince = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The cluster does not know this node yet, or no longer. */
  begin(): void {
    this.#askedAlone = LONG_AGO;
    this.#admitsFrom = Infinity;
  }

  /** A moment to give to {@link renewed}, from before the roster is asked. */
  moment(): Moment {
    return { now: this.#clock.now(), elapsed: performance.now() };
  }

  /** What the roster answered to this node. */
  renewed(asked: Moment, { known, alone }: Renewal): void {
    this.#askedAlone = alone ? asked : LONG_AGO;
    if (alone) this.#admitsFrom = 0;
    else if (!known || this.#admitsFrom === Infinity)
      this.#admitsFrom = performance.now() + ALONE_MS + MARGIN_MS;
    const now = this.#clock.now();
    if (now < this.#renewedAt || now - this.#renewedAt > BREAK_MS) this.#steadySince = now;
    this.#renewedAt = now;
  }

  /**
   * Whoever has not been heard of is gone, as far as this node can tell. Right after a break of its own it cannot: the
   * others may have had the same.
   */
  get isSteady(): boolean {
    const now = this.#clock.now();
    return now - this.#renewedAt <= BREAK_MS && now - this.#steadySince >= SETTLING_MS;
  }

  /** No other node has connections that anything could be meant for. */
  get isAlone(): boolean {
    const { now, elapsed } = this.#askedAlone;
    return performance.now() < elapsed + ALONE_MS && this.#clock.now() < now + ALONE_MS;
  }

  /** Resolves once every other node sends what it says here too. Rejects with `UNAVAILABLE` before {@link renewed}. */
  async admitted(): Promise<void> {
    for (let wait = this.#wait(); wait > 0; wait = this.#wait()) {
      if (wait === Infinity) throw new ProblemError("UNAVAILABLE", "This node has not found the others yet");
      await setTimeout(wait);
    }
  }

  #wait(): number {
    return this.#admitsFrom - performance.now();
  }
}
