/** Counts messages per server between two reports (rule DI2). */
export class Activity {
  private counts = new Map<string, number>();

  count(serverId: string): void {
    this.counts.set(serverId, (this.counts.get(serverId) ?? 0) + 1);
  }

  /** Returns the counts since the last call. */
  take(): { serverId: string; messages: number }[] {
    const items = [...this.counts].map(([serverId, messages]) => ({ serverId, messages }));
    this.counts = new Map();
    return items;
  }
}
