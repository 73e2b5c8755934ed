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
 * AU6: the end of a session is first written, then told to everybody. The store remembers what has not been
 * told yet, so that neither a bus that is away nor the end of this process swallows it; some hear it twice.
 */
export interface SessionEndings {
  /** Tells what is not told yet. Never rejects: what fails is left for the next call. */
  readonly announce: () => Promise<void>;
  /** Ends what has expired, and tells. */
  readonly sweep: () => Promise<void>;
  /** Deletes what ended so long ago that nobody needs to be told why a token is refused. */
  readonly forget: () => Promise<void>;
}

const DAY = 24 * 60 * 60_000;
const BATCH = 500;
/** How long a refusal can still name its reason. */
export const REMEMBER_ENDED_MS = 30 * DAY;
/** How long an address that an account was used from is remembered after the last login there (AU8). */
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

  // One after the other: each caller's own ending is read anew, and none is told twice by this process.
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
