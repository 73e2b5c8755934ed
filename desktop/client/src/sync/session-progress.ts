import type { SyncProgress } from "./account-sync.ts";
import type { SessionDependencies } from "./session-deps.ts";
import type { Following } from "./snapshots/snapshot-follower.ts";

export type Progress = ReturnType<typeof createProgress>;

/** The progress of snapshots. A received one is shown before a sent one. */
export function createProgress({ onProgress }: Pick<SessionDependencies, "onProgress">) {
  let receiving: SyncProgress | null = null;
  let sending: SyncProgress | null = null;
  const report = (): void => onProgress(receiving ?? sending);
  return {
    receiving: (from: Following | null): void => {
      receiving = from && { direction: "receiving", device: from.device, done: from.done, total: from.total };
      report();
    },
    sending: (progress: SyncProgress | null): void => {
      sending = progress;
      report();
    },
  };
}
