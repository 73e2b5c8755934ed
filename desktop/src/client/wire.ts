/**
 * What clients of this product say to each other; the server relays it as it came and looks only at the fields that
 * `contracts` names. Another client may leave things out or send nonsense, so whatever arrives goes through `wire-schemas.ts`.
 * Times are epoch ms on the clock of the signaling server (`Connection.now`).
 */
import type { ReactionChange } from "../device/changes.ts";
import type { DeviceFriend } from "../device/changes.ts";
import type { DeviceProfile, DeviceRoom } from "../device/records.ts";

/** `chat_message.message`. The sender is the relay's `fromUserId`, never what a message says of itself. */
export interface WireMessage {
  readonly id: string;
  readonly content: string;
  readonly timestamp: number;
  readonly replyToId: string | null;
  readonly mentions: readonly string[];
  readonly clientInstanceId: string;
}

/** `message_revision.revision`; `message_delete` carries `deletedAt` beside its `messageId`, `reaction` carries `at`. */
export interface WireRevision {
  readonly content: string;
  readonly revision: number;
  readonly editedAt: number;
}

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
 * The payloads of `account_sync` (interface 2.3, AS3). The last five are ours, relayed as peer-to-peer events (AS2).
 * Payloads of a snapshot carry `snapshot`, so that the device it is for can show how far it is.
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
      readonly attachments: Readonly<
        Record<string, readonly { id: string; filename: string; size: number; mime: string; hash: string }[]>
      >;
      readonly final: boolean;
    }
  | { readonly type: "saved-room-sync"; readonly room: SyncedRoom }
  | { readonly type: "saved-room-remove"; readonly roomId: string; readonly at: number }
  | { readonly type: "user-avatar-full"; readonly avatar: SyncedAvatar | null; readonly card: SyncedCard }
  | { readonly type: "custom-emoji-full"; readonly emoji: readonly SyncedEmoji[] }
  | { readonly type: "friend-added"; readonly friend: DeviceFriend & { readonly displayName?: string } }
  | { readonly type: "friend-removed"; readonly userId: string; readonly at: number }
  | { readonly type: "message-delete"; readonly roomId: string; readonly messageId: string; readonly deletedAt: number }
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
  /** Sent by a device right after it identified: what it lacks since then; 0 for everything. */
  | { readonly type: "sync-request"; readonly since: number };

export interface SnapshotMark {
  readonly id: string;
  /** Whom it is for; everybody may use it. */
  readonly to: string;
  readonly part: number;
  readonly parts: number;
}

export interface SyncedAvatar {
  readonly hash: string;
  readonly mime: string;
  /** Base64. */
  readonly data: string;
}

export interface SyncedCard extends Pick<DeviceProfile, "displayName" | "cardText" | "updatedAt"> {
  readonly username: string;
}
