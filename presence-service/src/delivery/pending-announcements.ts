import type { Log } from "@hearth/runtime";

/** What the cluster must learn and could not be told yet; retried with every tick, oldest first. */
export class PendingAnnouncements {
  private readonly announcements = new Set<() => Promise<void>>();
  private readonly log: Log;

  constructor(log: Log) {
    this.log = log;
  }

  get size(): number {
    return this.announcements.size;
  }

  /** Tells the cluster, now or later. A retry of `work` must do no harm. Never rejects. */
  async attempt(announcement: () => Promise<void>): Promise<void> {
    try {
      await announcement();
    } catch (error) {
      this.add(announcement, error);
    }
  }

  /** Keeps work that has failed already. */
  add(announcement: () => Promise<void>, error: unknown): void {
    this.announcements.add(announcement);
    this.log.warn({ err: error }, "cluster could not be told, will be retried");
  }

  /** Stops at the first that fails again, and rejects with its error. */
  async retry(): Promise<void> {
    for (const announcement of this.announcements) {
      await announcement();
      this.announcements.delete(announcement);
    }
  }
}
