import { useCallback, useRef, useState } from "react";
import type { Timeline } from "@hearth/client";

export type Side = "older" | "newer";

export interface Pages {
  /** Asks for what is wanted, one page of a side at a time; a side that failed waits for `retry`. */
  readonly want: (wanted: Readonly<Record<Side, boolean>>) => void;
  readonly trouble: Side | null;
  readonly retry: () => void;
}

export function usePages(timeline: Timeline): Pages {
  const [trouble, setTrouble] = useState<Side | null>(null);
  const blocked = useRef<ReadonlySet<Side>>(new Set());
  const load = useCallback(
    async (side: Side): Promise<void> => {
      blocked.current = new Set(blocked.current).add(side);
      try {
        await (side === "older" ? timeline.loadOlder() : timeline.loadNewer());
        blocked.current = new Set([...blocked.current].filter((it) => it !== side));
      } catch {
        setTrouble(side);
      }
    },
    [timeline],
  );
  const want = useCallback(
    (wanted: Readonly<Record<Side, boolean>>) => {
      for (const side of ["older", "newer"] as const)
        if (wanted[side] && !blocked.current.has(side)) void load(side);
    },
    [load],
  );
  return {
    want,
    trouble,
    retry: () => {
      if (trouble === null) return;
      setTrouble(null);
      void load(trouble);
    },
  };
}
