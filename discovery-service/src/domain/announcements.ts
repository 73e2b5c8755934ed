import { ProblemError } from "@hearth/contracts";
import type { EventSubject } from "@hearth/contracts";
import type { Log } from "@hearth/runtime";

/** Publishes an event about a write (rule DI7). */
export type Announce = <Payload>(subject: EventSubject<Payload>, payload: Payload) => Promise<void>;

type Send = () => Promise<void>;

/**
 * An announcement follows a durable write, so an unreachable bus must not fail the request. Announcements that could not
 * be sent wait in memory and go out in order when the bus is back. Receivers tolerate duplicates.
 */
export interface Announcements {
  readonly waiting: number;
  readonly announce: Announce;
  /** Never rejects. Calls `send` until it succeeds or fails with an error that is not retryable. */
  deliver(subject: string, send: Send): Promise<void>;
  stop(): void;
}

export interface AnnouncementsDeps {
  readonly publish: Announce;
  readonly log: Log;
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;
const MAX_WAITING = 10_000;

/** Any other error would occur again with every attempt. */
const isRetryable = (error: unknown): boolean => error instanceof ProblemError && error.retryable;

export function createAnnouncements({ publish, log, wait }: AnnouncementsDeps): Announcements {
  const backlog = createBacklog({ log, wait });

  const deliver: Announcements["deliver"] = async (subject, send) => {
    if (backlog.size() > 0) {
      backlog.add(subject, send);
      return;
    }
    try {
      await send();
    } catch (error) {
      log.warn({ err: error, subject }, "the bus did not take an announcement");
      if (isRetryable(error)) backlog.add(subject, send);
    }
  };

  return {
    get waiting() {
      return backlog.size();
    },
    announce: (subject, payload) => deliver(subject.name, () => publish(subject, payload)),
    deliver,
    stop: () => backlog.stop(),
  };
}

/** The announcements that wait, sent in order and repeated with growing pauses. */
function createBacklog({ log, wait }: Pick<AnnouncementsDeps, "log" | "wait">) {
  const waiting: Send[] = [];
  let draining = false;
  let stopped = false;

  const drain = async (): Promise<void> => {
    draining = true;
    let delay = FIRST_RETRY_MS;
    while (!stopped) {
      const next = waiting[0];
      if (next === undefined) break;
      try {
        await next();
      } catch (error) {
        if (isRetryable(error)) {
          await wait(delay);
          delay = Math.min(delay * 2, LAST_RETRY_MS);
          continue;
        }
      }
      if (waiting[0] === next) waiting.shift();
      delay = FIRST_RETRY_MS;
    }
    draining = false;
  };

  return {
    size: () => waiting.length,
    add: (subject: string, send: Send): void => {
      if (stopped) return;
      if (waiting.length >= MAX_WAITING) {
        waiting.shift();
        log.error({ subject }, "an announcement was given up: too many wait");
      }
      waiting.push(send);
      if (!draining) void drain();
    },
    stop: (): void => {
      stopped = true;
      if (waiting.length === 0) return;
      log.error({ waiting: waiting.length }, "announcements were given up at the stop");
      waiting.length = 0;
    },
  };
}
