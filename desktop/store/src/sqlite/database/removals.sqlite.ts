import { outlives } from "@hearth/device";
import type { WriterCalls } from "./calls.sqlite.ts";

/** Kinds of records that can be removed and added again. */
export type Removable = "room" | "room user" | "ban" | "friend" | "emoji";

export type Removals = ReturnType<typeof removalsOf>;

/** Saves removals, so that they win over older records that arrive later. */
export function removalsOf({ prepare }: WriterCalls) {
  const find = prepare("SELECT removed_at AS at FROM removals WHERE kind = ? AND id = ? AND member = ?");
  const keep = prepare(`
    INSERT INTO removals (kind, id, member, removed_at) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET removed_at = max(removed_at, excluded.removed_at)`);
  return {
    /** True if no removal wins over a record that began then. */
    admit: (kind: Removable, beganAt: number, id: string, member = ""): boolean =>
      outlives(beganAt, find.get(kind, id, member)?.["at"] as number | undefined),
    /** Saves the removal; true if it ends the known record. */
    end: (
      kind: Removable,
      beganAt: number | undefined,
      at: number | undefined,
      id: string,
      member = "",
    ): boolean => {
      const time = at ?? beganAt;
      if (time === undefined) return false;
      keep.run(kind, id, member, time);
      return beganAt !== undefined && !outlives(beganAt, time);
    },
  };
}
