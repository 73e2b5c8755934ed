/**
 * What a device knows, as its store keeps it and as the local API answers it. Times are epoch milliseconds, ids are
 * UUIDs unless said otherwise. A field that is not known is `null`, never left out. Schemas of the local API allow
 * further properties, so that a later version may add some (interface 2.8).
 */

/** Whether a room is a server of chat, or a conversation of two people. */
export type RoomKind = "server" | "direct";

/** The account that this device belongs to, at its home signaling server (interface 2.7). */
export interface DeviceProfile {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  /** URL of the signaling server where the account lives. */
  readonly homeSignalServerUrl: string;
  /** SHA-256 of the picture in hexadecimal, or `null` without one. */
  readonly avatarHash: string | null;
  readonly avatarMime: string | null;
  /** The text on the person's card. */
  readonly cardText: string;
  /** @isLong */
  readonly updatedAt: number;
}

export interface DeviceChannel {
  readonly id: string;
  readonly name: string;
  readonly kind: "text" | "voice";
  /** @isInt */
  readonly position: number;
}

/** A server of chat that the account saved, or a direct conversation. */
export interface DeviceRoom {
  readonly id: string;
  readonly kind: RoomKind;
  readonly name: string;
  readonly description: string;
  /** URL of the signaling server where the room lives. */
  readonly signalServerUrl: string;
  /** The account's user id on that signaling server. */
  readonly actorUserId: string;
  readonly iconHash: string | null;
  readonly tags: readonly string[];
  readonly visibility: "public" | "unlisted" | "private";
  /** `null` for a direct conversation. */
  readonly ownerId: string | null;
  /** The other person of a direct conversation. */
  readonly peerUserId: string | null;
  readonly role: "owner" | "moderator" | "member";
  readonly channels: readonly DeviceChannel[];
  readonly muted: boolean;
  /** The last message that was read on any device of the account. */
  readonly lastReadMessageId: string | null;
  /** @isLong */
  readonly lastReadAt: number | null;
  /** @isLong */
  readonly createdAt: number;
  /** @isLong */
  readonly joinedAt: number;
  /** @isLong */
  readonly updatedAt: number;
}

/** A person whom the device has met. */
export interface DeviceUser {
  readonly id: string;
  readonly username: string | null;
  readonly displayName: string;
  readonly signalServerUrl: string;
  readonly avatarHash: string | null;
  readonly avatarMime: string | null;
  readonly cardText: string;
  readonly isFriend: boolean;
  /** @isLong */
  readonly updatedAt: number;
}

/** A person as a member of one room. */
export interface DeviceRoomUser extends DeviceUser {
  readonly roomId: string;
  readonly role: "owner" | "moderator" | "member";
  /** @isLong */
  readonly joinedAt: number;
  /** @isLong */
  readonly lastSeenAt: number | null;
}

/** Where a message of this account stands on its way out; a message of somebody else is always `sent`. */
export type DeliveryState = "pending" | "sent" | "failed";

/**
 * A message of a room. An edit replaces `content` and raises `revision`; a removal empties `content`, undoes every edit
 * (`revision` 0, `editedAt` `null`) and sets `deletedAt`, and the record stays, so that a reader of `since` learns of it.
 * A removed message has neither reactions nor attachments.
 */
export interface DeviceMessage {
  readonly id: string;
  readonly roomId: string;
  readonly channelId: string | null;
  readonly senderId: string;
  readonly senderDisplayName: string;
  /** Markdown; empty once removed. */
  readonly content: string;
  readonly replyToId: string | null;
  /** Ids of the people it mentions. */
  readonly mentions: readonly string[];
  /**
   * When it was written, or sent after a long wait: the first key of the order of messages; the id is the second.
   * @isLong
   */
  readonly timestamp: number;
  /**
   * 0 until the first edit.
   * @isInt
   */
  readonly revision: number;
  /** @isLong */
  readonly editedAt: number | null;
  /** @isLong */
  readonly deletedAt: number | null;
  readonly delivery: DeliveryState;
  /** The device of this account that wrote it, where known. */
  readonly clientInstanceId: string | null;
  /**
   * When this record last changed on this device: created, edited or removed (LA2). A change is never dated before
   * one that was written earlier, so that (`updatedAt`, `id`) is a place that nothing written later comes before.
   * @isLong
   */
  readonly updatedAt: number;
}

/** Somebody's reaction to a message. */
export interface DeviceReaction {
  readonly messageId: string;
  /** An emoji, or `:shortcode:` of a custom one. */
  readonly emoji: string;
  readonly userId: string;
  /** @isLong */
  readonly createdAt: number;
}

/** A file that came with a message. Where its bytes lie on this machine is nobody else's business, so it is not here. */
export interface DeviceAttachment {
  readonly id: string;
  readonly messageId: string;
  readonly roomId: string;
  readonly filename: string;
  /**
   * Bytes.
   * @isLong
   */
  readonly size: number;
  readonly mime: string;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  /** True when the bytes are on this device. */
  readonly isLocal: boolean;
  /** @isLong */
  readonly createdAt: number;
}

/** Somebody who may not enter a room; `expiresAt` `null` lasts until it is lifted. */
export interface DeviceBan {
  readonly roomId: string;
  readonly userId: string;
  readonly bannedBy: string;
  readonly reason: string | null;
  /** @isLong */
  readonly createdAt: number;
  /** @isLong */
  readonly expiresAt: number | null;
}
