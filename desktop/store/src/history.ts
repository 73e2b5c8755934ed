import type { MessageEdit, NewMessage, ReactionChange } from "@hearth/device";
import type { DeviceMessage } from "@hearth/device";
import type { DeviceReader, DeviceWriter, MessagePosition } from "./device-store.ts";

/** Messages around a place in a channel, by (timestamp, id). */
export interface HistoryPage {
  readonly messages: readonly DeviceMessage[];
  /** There are more beyond the end that was asked for. */
  readonly hasMore: boolean;
}

/** A channel of a room; `null` is the room without channels. */
export interface ChannelRef {
  readonly roomId: string;
  readonly channelId: string | null;
}

/** A user id counts on its instance alone. */
export interface BlockedUser {
  readonly signalServerUrl: string;
  readonly userId: string;
}

/** How much a device keeps; `bytes` is an estimate where the storage does not say. */
export interface StorageUse {
  readonly messages: number;
  readonly bytes: number;
}

export interface UnreadCount {
  /** Messages of others behind the position that are not removed; counted up to 100. */
  readonly messages: number;
  /** Those among them that mention the user; counted up to 100. */
  readonly mentions: number;
  /** The first of them; `null` without any. */
  readonly first: MessagePosition | null;
}

/** Everything a device knows about one message, so that another device ends with the same record. */
export interface FullMessage {
  /** With its first text, which is empty when it was removed. */
  readonly message: NewMessage;
  /** The edits alone, without revision 0, the one that is shown last. */
  readonly edits: readonly MessageEdit[];
  readonly deletedAt: number | null;
  /** The last words, removals included, by (emoji, userId); none of a removed message, which never shows one again. */
  readonly reactions: readonly ReactionChange[];
}

/** A removal that says when it happened; it stays when what it removed began again later. */
export interface Removal {
  readonly kind: "room" | "friend" | "emoji";
  readonly id: string;
  readonly at: number;
}

/** What the client asks of a device's store beyond what the local API does. Without an answer the lists are empty. */
export interface HistoryReader {
  /** The messages right before a place, oldest first; without a place the newest. Removed ones are included. */
  messagesBefore(
    channel: ChannelRef,
    page: { readonly limit: number; readonly before: MessagePosition | null },
  ): Promise<HistoryPage>;
  /** The messages right behind a place, oldest first. */
  messagesAfter(
    channel: ChannelRef,
    page: { readonly limit: number; readonly after: MessagePosition },
  ): Promise<HistoryPage>;
  /**
   * Of the rooms or of one, newest first by (timestamp, id), never removed ones. Every word of the text occurs somewhere
   * in the message, whatever its case and accents (`device/search-text.ts`); a text without words finds nothing.
   */
  searchMessages(query: {
    readonly text: string;
    readonly roomId?: string;
    readonly limit: number;
    /** AB12: whose messages are passed over, in the rooms of each instance. */
    readonly without?: readonly BlockedUser[];
  }): Promise<readonly DeviceMessage[]>;
  /** Of the account on its way out (`pending`, `failed`), by (timestamp, id); never removed ones. */
  undelivered(): Promise<readonly DeviceMessage[]>;
  /** Without a position everything counts as behind it. Messages of the users `without` do not count (AB12). */
  unread(
    channel: ChannelRef,
    from: {
      readonly after: MessagePosition | null;
      readonly userId: string;
      readonly without?: readonly string[];
    },
  ): Promise<UnreadCount>;
  /**
   * What changed in a room after a time of this device, oldest change first, and where to go on. Here everything that
   * `FullMessage` tells is a change, so also what `updatedAt` of a message does not count: reactions, edits that are not
   * shown, and the delivery. Each message comes once, at its last change; `next` is `null` on the last page.
   */
  fullMessages(
    roomId: string,
    page: { readonly after: { readonly updatedAt: number; readonly id?: string }; readonly limit: number },
  ): Promise<{
    readonly messages: readonly FullMessage[];
    readonly next: { readonly updatedAt: number; readonly id: string } | null;
  }>;
  usage(): Promise<StorageUse>;
  /** By (kind, id). */
  removals(): Promise<readonly Removal[]>;
  /** Every meta record whose key starts so, by key; never one that names a secret. */
  metaEntries(prefix: string): Promise<readonly { readonly key: string; readonly value: string }[]>;
}

/** The store of a client: SQLite behind the bridge in the desktop window, IndexedDB in a browser. */
export type ClientStore = DeviceWriter &
  Omit<DeviceReader, "messagesJson" | "messagesSinceJson"> &
  HistoryReader & {
    /** Everything of the account that was here, for a device that gets another owner; times of change go on growing. */
    eraseAll(): Promise<void>;
  };
