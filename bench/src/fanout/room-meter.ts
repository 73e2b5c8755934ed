import type { Meter } from "../wire/client-socket.ts";

/** Sums the bytes of all receivers, and calls back when the sum reaches the expected one. */
export class RoomMeter implements Meter {
  total = 0;
  private expected = Infinity;
  private reached: () => void = () => undefined;

  add(bytes: number): void {
    this.total += bytes;
    if (this.total >= this.expected) this.reached();
  }

  /** `reached` is called with every read that finds the sum at `expected` or more; it sets the next mark. */
  expect(expected: number, reached: () => void): void {
    this.expected = expected;
    this.reached = reached;
  }

  reset(): void {
    this.total = 0;
    this.expected = Infinity;
  }
}
