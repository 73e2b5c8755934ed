/** A seeded random number generator, so that the same seed gives the same sample. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 up to 1; mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Both ends included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new RangeError("nothing to pick from");
    return item;
  }

  /** The index of a weight, with a probability proportional to it. */
  weighted(weights: readonly number[]): number {
    let rest = this.next() * weights.reduce((sum, weight) => sum + weight, 0);
    return Math.max(
      0,
      weights.findIndex((weight) => (rest -= weight) < 0),
    );
  }

  /** Version 4. */
  uuid(): string {
    const hex = (digits: number): string =>
      Array.from({ length: digits }, () => this.between(0, 15).toString(16)).join("");
    return `${hex(8)}-${hex(4)}-4${hex(3)}-${this.pick(["8", "9", "a", "b"])}${hex(3)}-${hex(12)}`;
  }
}
