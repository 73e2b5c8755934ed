import type { Log } from "@hearth/runtime";

/** An announcement to the cluster. It may run again after a failure, so repeating it must do no harm. */
type Announcement = () => Promise<void>;

/** Announcements that failed, oldest first. Every tick retries them. */
export type PendingAnnouncements = ReturnType<typeof createPendingAnnouncements>;

export const createPendingAnnouncements = (log: Log) => {
  const announcements = new Set<Announcement>();

  const add = (announcement: Announcement, error: unknown): void => {
    announcements.add(announcement);
    log.warn({ err: error }, "announcement to the cluster failed, will be retried");
  };

  return {
    get size(): number {
      return announcements.size;
    },

    /** Adds an announcement that has failed. */
    add,

    /** Runs the announcement now, and later again if it fails. Never rejects. */
    async attempt(announcement: Announcement): Promise<void> {
      try {
        await announcement();
      } catch (error) {
        add(announcement, error);
      }
    },

    /** Stops at the first that fails again, and rejects with its error. */
    async retry(): Promise<void> {
      for (const announcement of announcements) {
        await announcement();
        announcements.delete(announcement);
      }
    },
  };
};
