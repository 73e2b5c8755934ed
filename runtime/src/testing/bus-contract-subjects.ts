import { eventSubject, requestSubject } from "@hearth/contracts";
import { z } from "zod";
import type { Bus } from "../bus/bus.ts";

const anything = z.record(z.string(), z.unknown());

export const double = requestSubject(
  "contract.double",
  z.object({ n: z.number() }),
  z.object({ n: z.number() }),
);
export const raw = requestSubject("contract.raw", anything, anything);
export const happened = eventSubject(
  "contract.happened",
  z.object({ n: z.number(), list: z.array(z.number()).optional() }),
);
export const happenedAgain = eventSubject("contract.happened.again", z.object({ n: z.number() }));

/** A bus under test: two ends of it, or the same object twice where it has only one. */
export interface BusUnderTest {
  readonly bus: Bus;
  readonly other: Bus;
  /** Resolves when every subscription made or closed so far has taken effect. */
  readonly settled: () => Promise<void>;
}

/** Collects values; `all` resolves once there are `count`. */
export const collector = <Item>(count: number) => {
  const items: Item[] = [];
  let done: (items: Item[]) => void;
  const all = new Promise<Item[]>((resolve) => {
    done = resolve;
  });
  const put = (item: Item): void => {
    if (items.push(item) === count) done(items);
  };
  return { items, put, all };
};
