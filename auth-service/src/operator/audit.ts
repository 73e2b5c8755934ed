import { newId } from "@hearth/runtime";
import type { Clock } from "@hearth/runtime";
import type { AuditStore } from "../domain/operator-store.ts";

export interface AuditedUse {
  readonly store: AuditStore;
  readonly clock: Clock;
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  /** Such a use is recorded before it is done, too: what died in between is there as well. */
  readonly changes: boolean;
}

const MAX_TARGET = 200;

/** AB11: runs an operator's command and records who did what to whom, and how it came out. */
export async function audited(use: AuditedUse, run: () => Promise<number>): Promise<number> {
  const { store, clock, actor, action } = use;
  const target = use.target?.slice(0, MAX_TARGET) ?? null;
  const append = (outcome: string): Promise<void> =>
    store.appendAudit({ id: newId(), at: clock.now(), actor, action, target, outcome });
  if (use.changes) await append("begun");
  const code = await run().catch(async (error: unknown) => {
    await append("failed");
    throw error;
  });
  await append(code === 0 ? "done" : "not done");
  return code;
}
