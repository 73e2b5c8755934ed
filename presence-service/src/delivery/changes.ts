import type { Clock } from "@hearth/runtime";
import type { Change } from "../cluster/carrier/carrier.ts";

/** How long the last change is remembered. */
export const CHANGE_MEMORY_MS = 60_000;

/**
 * How a change relates to earlier ones: behind a newer one, next, or an arrival that overtook the departure before it.
 */
export type ChangeOrder = "late" | "next" | "overtaking";

interface LastChange {
  readonly version: number;
  readonly isThere: boolean;
  readonly until: number;
}

/**
 * The last change of each kind and user that was announced in each room of this node. Nodes announce at their own pace,
 * so an older change may arrive behind a newer one; it must not win (rules WS8, VO2).
 */
export class Changes {
  /** The oldest first, so that a sweep ends at the first one that is still remembered. */
  private readonly latest = new Map<string, LastChange>();
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Records a change and returns how it relates to the last one; of two with the same version the second is late. */
  take(room: string, change: Change, isThere: boolean): ChangeOrder {
    const { version } = change;
    const key = keyOf(room, change);
    const last = this.latest.get(key);
    if (last && last.version >= version) return "late";
    this.latest.delete(key);
    this.latest.set(key, { version, isThere, until: this.clock.now() + CHANGE_MEMORY_MS });
    return isThere && last?.isThere ? "overtaking" : "next";
  }

  /** The version of the last change, while it is remembered. */
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
