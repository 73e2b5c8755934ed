import { setTimeout } from "node:timers/promises";
import { ProblemError } from "@hearth/contracts";
import type { Clock } from "@hearth/runtime";
import type { Renewal } from "./roster/roster.ts";

/**
 * A node that has asked the roster and is the only one counts on that for this long. A node that joins admits nobody for
 * as long.
 */
export const ALONE_MS = 1_500;
/** Two machines do not measure time alike. */
const MARGIN_MS = 100;
/** A node that has not renewed itself for this long was held up, or could not reach the roster. */
const INTERRUPTION_MS = 3_000;
/** After an interruption, every live node has renewed itself within this time. */
const SETTLING_MS = 3_000;

/** A time by two clocks: sleep stops the monotonic clock, and the system clock can be set back. Both must agree. */
interface Moment {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: number;
}

const LONG_AGO: Moment = { now: -Infinity, elapsed: -Infinity };

/**
 * What a node knows of its cluster: whether it is the only node, and whether it may admit connections. The only node
 * publishes nothing. It relies on being alone for {@link ALONE_MS} at a time, and a new node admits nobody for as long, so
 * that a connection admitted there misses no message.
 */
export type ClusterMembership = ReturnType<typeof createClusterMembership>;

export const createClusterMembership = (clock: Clock) => {
  /** When this node asked the roster and was the only node. */
  let aloneAt = LONG_AGO;
  /** By the monotonic clock; `Infinity` until the roster knows this node. */
  let admitsFrom = 0;
  let renewedAt = -Infinity;
  /** Since when the renewals have not been interrupted. */
  let steadySince = Infinity;

  const waitMs = (): number => admitsFrom - performance.now();

  return {
    /** Call it before the first renewal: from here on, the node admits nobody until the roster knows it. */
    begin(): void {
      aloneAt = LONG_AGO;
      admitsFrom = Infinity;
    },

    /** The present. Read it before asking the roster, for {@link renewed}. */
    moment: (): Moment => ({ now: clock.now(), elapsed: performance.now() }),

    /** Takes the roster's answer to a renewal. */
    renewed(asked: Moment, { known, alone }: Renewal): void {
      aloneAt = alone ? asked : LONG_AGO;
      if (alone) admitsFrom = 0;
      else if (!known || admitsFrom === Infinity) admitsFrom = performance.now() + ALONE_MS + MARGIN_MS;
      const now = clock.now();
      if (now < renewedAt || now - renewedAt > INTERRUPTION_MS) steadySince = now;
      renewedAt = now;
    },

    /**
     * True if this node may take nodes that do not renew themselves for dead. Right after an interruption of its own it may
     * not: the others may have been interrupted as well.
     */
    get isSteady(): boolean {
      const now = clock.now();
      return now - renewedAt <= INTERRUPTION_MS && now - steadySince >= SETTLING_MS;
    },

    /** True while no other node has connections. */
    get isAlone(): boolean {
      const { now, elapsed } = aloneAt;
      return performance.now() < elapsed + ALONE_MS && clock.now() < now + ALONE_MS;
    },

    /** Resolves once every other node publishes to this one. Rejects with `UNAVAILABLE` before the first renewal. */
    async untilJoined(): Promise<void> {
      for (let wait = waitMs(); wait > 0; wait = waitMs()) {
        if (wait === Infinity)
          throw new ProblemError("UNAVAILABLE", "This node has not joined the cluster yet");
        await setTimeout(wait);
      }
    },
  };
};
