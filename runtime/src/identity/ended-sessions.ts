import { LIMITS } from "@hearth/contracts";
import type { SessionEndReason } from "@hearth/contracts";
import type { Clock } from "../timing/clock.ts";

/** Longer than a request to auth can take. */
const MEMORY_MS = 2 * LIMITS.internalJwtMs;

/**
 * Sessions that ended in the last two minutes. A check that is in progress when its session ends may still answer
 * "valid"; looking here afterwards closes that gap (rule AU6).
 */
export class EndedSessions {
  /** The oldest first. */
  readonly #ended = new Map<string, { readonly reason: SessionEndReason; readonly until: number }>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(sessionId: string, reason: SessionEndReason): void {
    this.#sweep();
    this.#ended.delete(sessionId);
    this.#ended.set(sessionId, { reason, until: this.#clock.now() + MEMORY_MS });
  }

  /** Why the session ended; `null` if no end is known. */
  reasonFor(sessionId: string): SessionEndReason | null {
    this.#sweep();
    return this.#ended.get(sessionId)?.reason ?? null;
  }

  #sweep(): void {
    const now = this.#clock.now();
    for (const [sessionId, { until }] of this.#ended) {
      if (until > now) break;
      this.#ended.delete(sessionId);
    }
  }
}
