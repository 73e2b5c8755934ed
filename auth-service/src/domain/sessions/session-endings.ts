import { authSubjects } from "@hearth/contracts";
import type { SessionEndReason } from "@hearth/contracts";
import type { Bus, Clock, Log } from "@hearth/runtime";
import type { SessionStore } from "../store.ts";

export interface SessionEndingsDeps {
  readonly store: SessionStore;
  readonly bus: Pick<Bus, "publish">;
  readonly clock: Clock;
  readonly log: Log;
  readonly onEnded: (reason: SessionEndReason) => void;
}

/**
 * AU6: the end of a session is first written, then announced. The store marks the ends that are not announced yet, so
 * neither an unreachable bus nor the end of this process loses one. Receivers tolerate duplicates.
 */
export interface SessionEndings {
  /** Announces the ends that are not announced yet. Never rejects: the next call repeats what failed. */
  readonly announce: () => Promise<void>;
  /** Ends expired sessions and announces their ends. */
  readonly sweep: () => Promise<void>;
  /** Deletes sessions that ended so long ago that a refusal need no longer name the reason. */
  readonly forget: () => Promise<void>;
}

const DAY = 24 * 60 * 60_000;
const BATCH = 500;
/** How long a refused token gets the reason. */
export const REMEMBER_ENDED_MS = 30 * DAY;
/** AU8: how long an address of an account is stored after the last login from it. */
export const REMEMBER_ADDRESS_MS = 365 * DAY;

export function createSessionEndings(deps: SessionEndingsDeps): SessionEndings {
  const { store, bus, clock, log } = deps;

  const announceBatch = async (): Promise<number> => {
    const batch = await store.unannounced(BATCH);
    for (const ended of batch) {
      await bus.publish(authSubjects.sessionEnded, ended);
      deps.onEnded(ended.reason);
    }
    if (batch.length > 0) await store.markAnnounced(batch.map(({ sessionId }) => sessionId));
    return batch.length;
  };

  const announceAll = async (): Promise<void> => {
    try {
      while ((await announceBatch()) === BATCH);
    } catch (error) {
      log.warn({ err: error }, "the end of sessions could not be announced yet");
    }
  };

  // One at a time: each call reads the store again, and this process announces no end twice.
  let last = Promise.resolve();
  const announce = (): Promise<void> => (last = last.then(announceAll));

  return {
    announce,
    sweep: async () => {
      await store.expireSessions(clock.now());
      await announce();
    },
    forget: () => {
      const now = clock.now();
      return store.forgetEnded(now - REMEMBER_ENDED_MS, now - REMEMBER_ADDRESS_MS);
    },
  };
}
