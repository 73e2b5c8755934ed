const MAX_NAMES = 10_000;

/**
 * AB8: the names that changed lately. An identify that is under way while its account's name changes may have been told
 * the older one.
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

  /** Answers, of any user, the name that was heard since this call; `undefined` where none was. */
  watch(): (userId: string) => string | undefined {
    const since = this.count;
    return (userId) => {
      const heard = this.names.get(userId);
      return heard && heard.count > since ? heard.displayName : undefined;
    };
  }
}
