import type { SyncPayload } from "@hearth/contracts";
import type { Readable } from "../observable.ts";

export interface SyncProgress {
  readonly direction: "receiving" | "sending";
  /** The other device's name. */
  readonly device: string;
  readonly done: number;
  /** `null` while it is not known. */
  readonly total: number | null;
}

export interface AccountSyncState {
  readonly progress: SyncProgress | null;
  /** When this device last was in step with another, epoch ms. */
  readonly lastSyncedAt: number | null;
  /** Devices of this account that came online since this one did, newest first; without tabs of this browser. */
  readonly seen: readonly { readonly clientInstanceId: string; readonly name: string; readonly at: number }[];
  /** Things to tell the siblings that wait for a connection. */
  readonly queued: number;
}

/**
 * The account's own things on all of its devices, over the connection of the home server (interface 2.3, 6, rules AS).
 * What cannot be sent waits in the store and goes out in order.
 */
export interface AccountSync {
  readonly state: Readable<AccountSyncState>;
  /** To every other device; never rejects. */
  send(payload: SyncPayload): void;
  /** What the siblings told was stored: which rooms changed, and what else. */
  onApplied(listener: (applied: Applied) => void): () => void;
  /** Asks the siblings for everything again. */
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
