import type { SyncPayload } from "@hearth/contracts";
import type { Readable } from "../observable.ts";

export interface SyncProgress {
  readonly direction: "receiving" | "sending";
  /** The other device's name. */
  readonly device: string;
  readonly done: number;
  /** `null` while it is unknown. */
  readonly total: number | null;
}

export interface AccountSyncState {
  readonly progress: SyncProgress | null;
  /** When this device last finished syncing with another one, epoch ms. */
  readonly lastSyncedAt: number | null;
  /** Devices of this account that came online since this one did, newest first; without tabs of this browser. */
  readonly seen: readonly { readonly clientInstanceId: string; readonly name: string; readonly at: number }[];
  /** How many payloads wait for a connection. */
  readonly queued: number;
}

/**
 * Syncs the account's own records between its devices, over the connection to the home instance (interface 2.3, 6,
 * rules AS). Unsent payloads wait in the store and are sent in order.
 */
export interface AccountSync {
  readonly state: Readable<AccountSyncState>;
  /** Sends a payload to every other device. Never rejects. */
  send(payload: SyncPayload): void;
  /** Called after a payload of another device was stored. */
  onApplied(listener: (applied: Applied) => void): () => void;
  /** Requests everything from the other devices again. */
  runAgain(): void;
  start(): Promise<void>;
  stop(): void;
}

export type Applied =
  | {
      readonly kind: "messages";
      readonly roomId: string;
      readonly messageIds: readonly string[];
      readonly isLive: boolean;
    }
  | { readonly kind: "rooms" }
  | { readonly kind: "read"; readonly roomId: string }
  | { readonly kind: "blocks"; readonly signalServerUrl: string }
  | { readonly kind: "profile" | "friends" | "emoji" };
