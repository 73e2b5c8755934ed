import type { Clock } from "@hearth/runtime";

/** How long the last change is remembered. */
export const CHANGE_MEMORY_MS = 60_000;

/** A user came into a room, or went out of it; `version` grows with every such change in the cluster. */
export interface PresenceChange {
  readonly oderId: string;
  readonly version: number;
}

/**
 * How a change stands to those told before: behind a newer one, next, or an arrival that has overtaken the departure
 * before it.
 */
export type ChangeOrder = "late" | "next" | "overtaking";

interface Told {
  readonly version: number;
  readonly isThere: boolean;
  readonly until: number;
}

/**
 * The last change of each user in each room that was told here. Nodes say what the roster told them in their own
 * time, so an older change may come in behind a newer one; it must not have the last word (rule WS8).
 */
export class PresenceChanges {
  /** The oldest first, so that a sweep ends at the first one that is still remembered. */
  private readonly latest = new Map<string, Told>();
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Notes a change, and says how it stands; of two with the same version the second is late. */
  take(room: string, { oderId, version }: PresenceChange, isThere: boolean): ChangeOrder {
    const key = `${room} ${oderId}`;
    const last = this.latest.get(key);
    if (last && last.version >= version) return "late";
    this.latest.delete(key);
    this.latest.set(key, { version, isThere, until: this.clock.now() + CHANGE_MEMORY_MS });
    return isThere && last?.isThere ? "overtaking" : "next";
  }

  sweep(): void {
    const now = this.clock.now();
    for (const [key, { until }] of this.latest) {
      if (until > now) return;
      this.latest.delete(key);
    }
  }
}
