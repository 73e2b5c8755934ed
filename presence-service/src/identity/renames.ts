const MAX_NAMES = 10_000;

/**
 * AB8: recently changed display names. An identify that is in progress during a change may have read the older name.
 */
export class Renames {
  private readonly names = new Map<string, { readonly displayName: string; readonly count: number }>();
  private count = 0;

  add(userId: string, displayName: string): void {
    this.count += 1;
    this.names.delete(userId);
    const [oldest] = this.names.keys();
    if (this.names.size >= MAX_NAMES && oldest !== undefined) this.names.delete(oldest);
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
