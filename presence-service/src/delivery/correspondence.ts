import { LRUCache } from "@hearth/runtime";

const MAX_PAIRS = 10_000;

/** AB6: who wrote to whom lately, on any node. A user who wrote to another wants to hear from them. */
export class Correspondence {
  private readonly pairs = new LRUCache<string, true>({ max: MAX_PAIRS });

  note(from: string, to: string): void {
    this.pairs.set(`${from} ${to}`, true);
  }

  hasWritten(from: string, to: string): boolean {
    return this.pairs.has(`${from} ${to}`);
  }
}
