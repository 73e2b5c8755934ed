import { LRUCache } from "@hearth/runtime";

const MAX_NAMES = 10_000;

/**
 * AB8: recently changed display names. An identify that is in progress during a change may have read the older name.
 */
export class Renames {
  private readonly names = new LRUCache<string, { readonly displayName: string; readonly count: number }>({
    max: MAX_NAMES,
  });
  private count = 0;

  add(userId: string, displayName: string): void {
    this.count += 1;
    this.names.set(userId, { displayName, count: this.count });
  }

  /** Returns a lookup of the names that changed since this call. */
  watch(): (userId: string) => string | undefined {
    const since = this.count;
    return (userId) => {
      const heard = this.names.get(userId);
      return heard && heard.count > since ? heard.displayName : undefined;
    };
  }
}
