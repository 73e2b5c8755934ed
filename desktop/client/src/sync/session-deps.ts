import type { ClientStore } from "@hearth/store";
import type { Platform } from "../ports.ts";
import type { SyncPayloads } from "../wire.ts";
import type { Applied, SyncProgress } from "./account-sync.ts";
import type { ApplyDependencies } from "./payloads/apply-payload.ts";
import type { ReceivedSnapshots } from "./snapshots/received-snapshots.ts";
import type { SyncRecords } from "./sync-records.ts";
import type { Send } from "./sync-outbox.ts";

export interface SessionDependencies extends ApplyDependencies {
  readonly platform: Platform;
  readonly store: ClientStore;
  readonly records: SyncRecords;
  readonly receivedSnapshots: ReceivedSnapshots;
  readonly instanceId: string;
  readonly isHere: (clientInstanceId: string) => Promise<boolean>;
  readonly deviceName: string;
  readonly send: Send;
  readonly onApplied: (applied: Applied) => void;
  readonly onProgress: (progress: SyncProgress | null) => void;
  readonly onSynced: () => void;
}

/** Sends a payload that may be lost. */
export type TrySend = (payload: SyncPayloads) => Promise<void>;

/** Up to which time this store has the data of other stores, by store id. */
export type Known = Map<string, number>;

export async function markSynced({ platform, records, onSynced }: SessionDependencies): Promise<void> {
  await records.setLastSyncedAt(platform.now());
  onSynced();
}
