import type { ClientStore } from "@hearth/store";
import type { Platform } from "../ports.ts";
import type { SyncPayloads } from "../wire.ts";
import type { Applied, SyncProgress } from "./account-sync.ts";
import type { ApplyDependencies } from "./payloads/apply-payload.ts";
import type { HeardSnapshots } from "./snapshots/heard-snapshots.ts";
import type { SyncRecords } from "./sync-records.ts";
import type { Send } from "./tell-queue.ts";

export interface SessionDependencies extends ApplyDependencies {
  readonly platform: Platform;
  readonly store: ClientStore;
  readonly records: SyncRecords;
  readonly heard: HeardSnapshots;
  readonly instanceId: string;
  readonly isHere: (clientInstanceId: string) => Promise<boolean>;
  readonly deviceName: string;
  readonly send: Send;
  readonly onApplied: (applied: Applied) => void;
  readonly onProgress: (progress: SyncProgress | null) => void;
  readonly onInStep: () => void;
}

/** Says something to the siblings that may be lost. */
export type Say = (payload: SyncPayloads) => Promise<void>;

/** Until when this store has what other stores know, by their ids. */
export type Known = Map<string, number>;

export async function inStep({ platform, records, onInStep }: SessionDependencies): Promise<void> {
  await records.inStep(platform.now());
  onInStep();
}
