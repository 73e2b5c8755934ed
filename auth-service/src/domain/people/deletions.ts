import { authSubjects } from "@hearth/contracts";
import type { OwnedServers } from "@hearth/contracts";
import type { Bus, Clock, Log } from "@hearth/runtime";
import type { SessionEndings } from "../sessions/session-endings.ts";
import type { DeletionStore } from "../people-store.ts";

/**
 * AB12: a deletion is first written, then announced. The store holds the time of the next announcement, so neither an
 * unreachable bus nor the end of this process loses it. Services that were away hear it later: it is announced several
 * times over a week, and receivers tolerate duplicates.
 */
export interface Deletions {
  delete(accountId: string, ownedServers: OwnedServers): Promise<void>;
  /** Announces the deletions that are due. Never rejects: a deletion that fails stays due. */
  readonly announce: () => Promise<void>;
}

export interface DeletionsDeps {
  readonly store: DeletionStore;
  readonly endings: Pick<SessionEndings, "announce">;
  readonly bus: Pick<Bus, "publish">;
  readonly clock: Clock;
  readonly log: Log;
}

const SECOND = 1000;
const HOUR = 3600 * SECOND;
/** The times of the later announcements, after the deletion. */
const ANNOUNCE_AFTER_MS = [
  5 * SECOND,
  60 * SECOND,
  600 * SECOND,
  HOUR,
  6 * HOUR,
  24 * HOUR,
  72 * HOUR,
  168 * HOUR,
];
const BATCH = 100;

export function createDeletions({ store, endings, bus, clock, log }: DeletionsDeps): Deletions {
  const announce = async (): Promise<void> => {
    try {
      for (const { userId, ownedServers, deletedAt } of await store.dueDeletions(clock.now(), BATCH)) {
        await bus.publish(authSubjects.userDeleted, { userId, ownedServers });
        const elapsed = clock.now() - deletedAt;
        const next = ANNOUNCE_AFTER_MS.find((after) => after > elapsed);
        await store.scheduleDeletion(userId, next === undefined ? null : deletedAt + next);
      }
    } catch (error) {
      log.warn({ err: error }, "deleted accounts could not be announced yet");
    }
  };
  return {
    announce,
    delete: async (accountId, ownedServers) => {
      await store.deleteAccount(accountId, ownedServers, clock.now());
      await endings.announce();
      await announce();
    },
  };
}
