/** Collects items, for tests that wait for them. */
export class Mailbox<Item> {
  readonly items: Item[] = [];
  private waiting: (() => boolean)[] = [];

  push(item: Item): void {
    this.items.push(item);
    this.waiting = this.waiting.filter((isDone) => !isDone());
  }

  /** The first item that matches, now or later. */
  async first(fits: (item: Item) => boolean): Promise<Item> {
    let found = this.items.find(fits);
    if (found !== undefined) return found;
    await this.until(() => (found = this.items.find(fits)) !== undefined);
    if (found === undefined) throw new Error("unreachable");
    return found;
  }

  /** Resolves as soon as there are that many items. */
  async atLeast(count: number): Promise<readonly Item[]> {
    await this.until(() => this.items.length >= count);
    return this.items;
  }

  private until(isDone: () => boolean): Promise<void> {
    if (isDone()) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiting.push(() => {
        if (!isDone()) return false;
        resolve();
        return true;
      });
    });
  }
}
