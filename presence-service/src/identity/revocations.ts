import type { SessionEndReason } from "@hearth/contracts";
import type { Clock } from "@hearth/runtime";

const MEMORY_MS = 120_000;

/**
 * Recently ended sessions. A token check that is in progress when its session ends may still answer "valid"; looking
 * here afterwards closes that gap (rule AU6).
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

  /** Why the session ended; `null` if no end is known. */
  reasonFor(sessionId: string): SessionEndReason | null {
    return this.ended.get(sessionId)?.reason ?? null;
  }

  sweep(): void {
    const now = this.clock.now();
    for (const [sessionId, { until }] of this.ended) if (until <= now) this.ended.delete(sessionId);
  }
}
