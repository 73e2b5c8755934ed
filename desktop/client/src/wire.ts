/**
 * The payloads that the devices of one account send each other; the server checks only the fields that
 * `SYNC_PAYLOADS` names. Another client may leave fields out or send nonsense, so every payload goes through
 * `sync/payload-schemas.ts`. Times are epoch ms on the clock of the signaling server (`Connection.now`).
 */
import type { WireMessage, WireRevision } from "@hearth/contracts";
import type { ReactionChange } from "@hearth/device";
import type { DeviceFriend } from "@hearth/device";
import type { DeviceProfile, DeviceRoom } from "@hearth/device";

/** A message between the devices of one account: `chat-message`, and one of `chat-sync-batch.messages`. */
export interface SyncedMessage extends WireMessage {
  readonly roomId: string;
  readonly channelId: string | null;
  readonly senderId: string;
  readonly senderDisplayName: string;
  readonly edits?: readonly WireRevision[];
  readonly deletedAt?: number | null;
  readonly reactions?: readonly Omit<ReactionChange, "messageId">[];
}

/** `custom-emoji-full.emoji`: the bytes as base64. */
export interface SyncedEmoji {
  readonly id: string;
  readonly shortcode: string;
  readonly mime: string;
  readonly hash: string;
  readonly data: string;
  readonly updatedAt: number;
}

/** `saved-room-sync.room`. `actorUserId` is the sender's; a receiver puts in its own. */
export type SyncedRoom = DeviceRoom;

/**
 * The payloads of `account_sync` (interface 2.3, AS3). Those behind `friend-removed` are ours, relayed as peer-to-peer
 * events (AS2). Payloads of a snapshot carry `snapshot`. What does not fit a frame goes as `sync/chunks.ts` splits it.
 */
export type SyncPayloads =
  | { readonly type: "chat-message"; readonly message: SyncedMessage }
  | {
      readonly type: "message-revision";
      readonly roomId: string;
      readonly messageId: string;
      readonly revision: WireRevision;
    }
  | {
      readonly type: "chat-sync-batch";
      readonly roomId: string;
      readonly messages: readonly SyncedMessage[];
      readonly attachments: Readonly<Record<string, readonly SyncedAttachment[]>>;
      readonly final: boolean;
    }
  | { readonly type: "saved-room-sync"; readonly room: SyncedRoom }
  | { readonly type: "saved-room-remove"; readonly roomId: string; readonly at: number }
  | { readonly type: "user-avatar-full"; readonly avatar: SyncedAvatar | null; readonly card: SyncedCard }
  | { readonly type: "custom-emoji-full"; readonly emoji: readonly SyncedEmoji[] }
  | { readonly type: "friend-added"; readonly friend: DeviceFriend & { readonly displayName?: string } }
  | { readonly type: "friend-removed"; readonly userId: string; readonly at: number }
  | {
      readonly type: "message-delete";
      readonly roomId: string;
      readonly messageId: string;
      readonly deletedAt: number;
    }
  | { readonly type: "message-reaction"; readonly roomId: string; readonly change: ReactionChange }
  | {
      readonly type: "read-position";
      readonly roomId: string;
      readonly channelId: string | null;
      readonly messageId: string;
      /** `timestamp` of that message; the greater (timestamp, messageId) wins. */
      readonly timestamp: number;
    }
  | { readonly type: "custom-emoji-removed"; readonly id: string; readonly at: number }
  /** AB12: the instance has another list of whom the account blocked there. */
  | { readonly type: "blocks-changed"; readonly signalServerUrl: string }
  | SyncRequest
  | SyncBegin
  | { readonly type: "sync-end"; readonly upTo: number }
  /** From whom a snapshot is for, so that its sender does not get ahead: everything up to `seq` was stored. */
  | { readonly type: "sync-received"; readonly to: string; readonly id: string; readonly seq: number };

/** Sent by a device right after it identified, and to one that it lacks something of. Without `to` the responder answers. */
export type SyncRequest = {
  readonly type: "sync-request";
  readonly to: string | null;
  /** Of the asking device; tabs of one browser share it. */
  readonly store: string;
  readonly device: string;
  /** Until when it has what other stores know, by their ids, each by the clock of that store. Empty for everything. */
  readonly known: Readonly<Record<string, number>>;
  /** Digests of what it has beside messages. */
  readonly have: readonly string[];
  /** Snapshots that it saw whole. */
  readonly heard: readonly string[];
};

/** The first payload of a snapshot: everything that this store learnt after `since`, by its own clock. */
export type SyncBegin = {
  readonly type: "sync-begin";
  readonly store: string;
  readonly toStore: string | null;
  readonly device: string;
  readonly since: number;
  /** Snapshots whose messages are left out, as the one that asked has them. */
  readonly except: readonly string[];
};

/** What every payload of a snapshot carries as `snapshot`. */
export interface SnapshotMark {
  readonly id: string;
  /** Whom it is for; everybody may use it. */
  readonly to: string;
  /** Counts the payloads, from 0. */
  readonly seq: number;
  readonly done: number;
  readonly total: number;
}

/** What devices tell each other of a file; never where its bytes lie (rule AS2). */
export interface SyncedAttachment {
  readonly id: string;
  readonly filename: string;
  readonly size: number;
  readonly mime: string;
  readonly hash: string;
  readonly createdAt?: number;
}

export interface SyncedAvatar {
  readonly hash: string;
  readonly mime: string;
  /** Base64. */
  readonly data: string;
}

/** `avatarHash` also where the bytes are not on the sending device. */
export type SyncedCard = Pick<
  DeviceProfile,
  "username" | "displayName" | "cardText" | "avatarHash" | "avatarMime" | "updatedAt"
>;
