import type { Clock } from "@hearth/runtime";

/** How long the last change is remembered. */
export const CHANGE_MEMORY_MS = 60_000;

/** A user came into a room, or went out of it; `version` grows with every such change in the cluster. */
export interface PresenceChange {
  readonly oderId: string;
  readonly version: number;
}

/**
 * The last change of each user in each room that was told here. Nodes say what the roster told them in their own
 * time, so an older change may come in behind a newer one; it must not have the last word (rule WS8).
 */
export class PresenceChanges {
  private readonly latest = new Map<string, { readonly version: number; readonly until: number }>();
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** True the first time that a change newer than those before it is seen. */
  isNews(room: string, { oderId, version }: PresenceChange): boolean {
    const key = `${room} ${oderId}`;
    if ((this.latest.get(key)?.version ?? 0) >= version) return false;
    this.latest.set(key, { version, until: this.clock.now() + CHANGE_MEMORY_MS });
    return true;
  }

  sweep(): void {
    const now = this.clock.now();
    for (const [key, { until }] of this.latest) if (until <= now) this.latest.delete(key);
  }
}
