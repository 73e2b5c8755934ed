import type { SyncProgress } from "./account-sync.ts";
import type { SessionDependencies } from "./session-deps.ts";
import type { Following } from "./snapshots/snapshot-follower.ts";

export type Progress = ReturnType<typeof createProgress>;

/** How far a snapshot is; one that comes in is shown before one that goes out. */
export function createProgress({ onProgress }: Pick<SessionDependencies, "onProgress">) {
  let receiving: SyncProgress | null = null;
  let sending: SyncProgress | null = null;
  const tell = (): void => onProgress(receiving ?? sending);
  return {
    receiving: (from: Following | null): void => {
      receiving = from && { direction: "receiving", device: from.device, done: from.done, total: from.total };
      tell();
    },
    sending: (progress: SyncProgress | null): void => {
      sending = progress;
      tell();
    },
  };
}
