import type { Clock } from "@hearth/runtime";
import type { Change } from "../cluster/carrier/carrier.ts";

/** How long the last change is remembered. */
export const CHANGE_MEMORY_MS = 60_000;

/**
 * How a change relates to the last one that was delivered. `late`: it is older. `next`: it is newer. `overtaking`: it is
 * newer, but the departure between two arrivals is still missing.
 */
export type ChangeOrder = "late" | "next" | "overtaking";

interface LastChange {
  readonly version: number;
  readonly isThere: boolean;
  readonly until: number;
}

/**
 * The last change of each kind and user that was delivered to each room of this node. Nodes announce at their own pace,
 * so an older change may arrive after a newer one; it must not win (rules WS8, VO2).
 */
export type Changes = ReturnType<typeof createChanges>;

export const createChanges = (clock: Clock) => {
  /** The oldest first, so that a sweep ends at the first one that is still remembered. */
  const latest = new Map<string, LastChange>();
  return {
    /** Records a change and returns how it relates to the last one; of two with the same version the second is late. */
    take(room: string, change: Change, isThere: boolean): ChangeOrder {
      const { version } = change;
      const key = keyOf(room, change);
      const last = latest.get(key);
      if (last && last.version >= version) return "late";
      latest.delete(key);
      latest.set(key, { version, isThere, until: clock.now() + CHANGE_MEMORY_MS });
      return isThere && last?.isThere ? "overtaking" : "next";
    },

    /** The version of the last change, while it is remembered. */
    versionOf: (room: string, subject: Omit<Change, "version">): number | undefined =>
      latest.get(keyOf(room, subject))?.version,

    sweep(): void {
      const now = clock.now();
      for (const [key, { until }] of latest) {
        if (until > now) return;
        latest.delete(key);
      }
    },
  };
};

const keyOf = (room: string, { about, oderId }: Omit<Change, "version">): string =>
  `${room} ${about} ${oderId}`;
