import type { SessionEndReason } from "@hearth/contracts";
import type { Clock } from "@hearth/runtime";

const MEMORY_MS = 120_000;

/**
 * The sessions that ended lately. A token check that was under way when its session ended may still answer
 * "valid"; asking here after it closes that gap (rule AU6).
 */
export class Revocations {
  private readonly ended = new Map<string, { readonly reason: SessionEndReason; readonly until: number }>();
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  add(sessionId: string, reason: SessionEndReason): void {
    this.ended.set(sessionId, { reason, until: this.clock.now() + MEMORY_MS });
  }

  /** Why the session ended, or `null` when nobody said that it did. */
  reasonFor(sessionId: string): SessionEndReason | null {
    return this.ended.get(sessionId)?.reason ?? null;
  }

  sweep(): void {
    const now = this.clock.now();
    for (const [sessionId, { until }] of this.ended) if (until <= now) this.ended.delete(sessionId);
  }
}
