const MAX_PAIRS = 10_000;

/** AB6: who wrote to whom lately, on any node. A user who wrote to another wants to hear from them. */
export class Correspondence {
  private readonly pairs = new Set<string>();

  note(from: string, to: string): void {
    const pair = `${from} ${to}`;
    this.pairs.delete(pair);
    const [oldest] = this.pairs;
    if (this.pairs.size >= MAX_PAIRS && oldest !== undefined) this.pairs.delete(oldest);
    this.pairs.add(pair);
  }

  hasWritten(from: string, to: string): boolean {
    return this.pairs.has(`${from} ${to}`);
  }
}
