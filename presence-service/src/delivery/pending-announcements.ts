import type { Log } from "@hearth/runtime";

/** What the cluster must learn and could not be told yet; retried with every tick, oldest first. */
export class PendingAnnouncements {
  private readonly works = new Set<() => Promise<void>>();
  private readonly log: Log;

  constructor(log: Log) {
    this.log = log;
  }

  get size(): number {
    return this.works.size;
  }

  /** Tells the cluster, now or later. A retry of `work` must do no harm. Never rejects. */
  async tell(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.add(work, error);
    }
  }

  /** Keeps work that has failed already. */
  add(work: () => Promise<void>, error: unknown): void {
    this.works.add(work);
    this.log.warn({ err: error }, "cluster could not be told, will be retried");
  }

  /** Stops at the first that fails again, and rejects with its error. */
  async retry(): Promise<void> {
    for (const work of this.works) {
      await work();
      this.works.delete(work);
    }
  }
}
