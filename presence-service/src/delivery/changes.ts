import type { Clock } from "@hearth/runtime";
import type { Change } from "../cluster/carrier/carrier.ts";

/** How long the last change is remembered. */
export const CHANGE_MEMORY_MS = 60_000;

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
 * The last change of each kind and user that was told in each room here. Nodes say what the cluster has decided in their
 * own time, so an older change may come in behind a newer one; it must not have the last word (rules WS8, VO2).
 */
export class Changes {
  /** The oldest first, so that a sweep ends at the first one that is still remembered. */
  private readonly latest = new Map<string, Told>();
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Notes a change, and says how it stands; of two with the same version the second is late. */
  take(room: string, change: Change, isThere: boolean): ChangeOrder {
    const { version } = change;
    const key = keyOf(room, change);
    const last = this.latest.get(key);
    if (last && last.version >= version) return "late";
    this.latest.delete(key);
    this.latest.set(key, { version, isThere, until: this.clock.now() + CHANGE_MEMORY_MS });
    return isThere && last?.isThere ? "overtaking" : "next";
  }

  /** The version of what was told last, where it is remembered. */
  versionOf(room: string, subject: Omit<Change, "version">): number | undefined {
    return this.latest.get(keyOf(room, subject))?.version;
  }

  sweep(): void {
    const now = this.clock.now();
    for (const [key, { until }] of this.latest) {
      if (until > now) return;
      this.latest.delete(key);
    }
  }
}

const keyOf = (room: string, { about, oderId }: Omit<Change, "version">): string =>
  `${room} ${about} ${oderId}`;
