import type { MessageEdit, NewMessage, ReactionChange } from "@hearth/device";
import type { DeviceMessage } from "@hearth/device";
import type { DeviceReader, DeviceWriter, MessagePosition } from "./device-store.ts";

/** A page of a channel's messages, by (timestamp, id). */
export interface HistoryPage {
  readonly messages: readonly DeviceMessage[];
  /** True if there are more in the direction of the page. */
  readonly hasMore: boolean;
}

/** A channel of a room; `null` for the room without channels. */
export interface ChannelRef {
  readonly roomId: string;
  readonly channelId: string | null;
}

/** User ids are unique per instance only. */
export interface BlockedUser {
  readonly signalServerUrl: string;
  readonly userId: string;
}

/** The size of the stored data; `bytes` may be an estimate. */
export interface StorageUse {
  readonly messages: number;
  readonly bytes: number;
}

export interface UnreadCount {
  /** Messages of others after the position, without removed ones; at most 100. */
  readonly messages: number;
  /** Those that mention the user; at most 100. */
  readonly mentions: number;
  /** The first of them; `null` if there is none. */
  readonly first: MessagePosition | null;
}

/** Everything a device knows about one message, so that another device can build the same record. */
export interface FullMessage {
  /** With its original text, which is empty for a removed message. */
  readonly message: NewMessage;
  /** Without revision 0; the shown one is the last. */
  readonly edits: readonly MessageEdit[];
  readonly deletedAt: number | null;
  /** The latest reactions, withdrawn ones included, by (emoji, userId); empty for a removed message. */
  readonly reactions: readonly ReactionChange[];
}

/** A removal with its time. It stays when a newer record of the same id is added. */
export interface Removal {
  readonly kind: "room" | "friend" | "emoji";
  readonly id: string;
  readonly at: number;
}

/** What the client reads in addition to the local API. Lists are empty if there is nothing. */
export interface HistoryReader {
  /** The messages before a position, oldest first; the newest ones without a position. With removed ones. */
  messagesBefore(
    channel: ChannelRef,
    page: { readonly limit: number; readonly before: MessagePosition | null },
  ): Promise<HistoryPage>;
  /** The messages after a position, oldest first. */
  messagesAfter(
    channel: ChannelRef,
    page: { readonly limit: number; readonly after: MessagePosition },
  ): Promise<HistoryPage>;
  /**
   * Searches all rooms or one, newest first by (timestamp, id), without removed messages. Every word must occur
   * somewhere, ignoring case and accents (`device/search-text.ts`). A text without words finds nothing.
   */
  searchMessages(query: {
    readonly text: string;
    readonly roomId?: string;
    readonly limit: number;
    /** AB12: blocked users, whose messages are omitted in rooms of their instance. */
    readonly without?: readonly BlockedUser[];
  }): Promise<readonly DeviceMessage[]>;
  /** Unsent messages of the account (`pending`, `failed`), by (timestamp, id), without removed ones. */
  undelivered(): Promise<readonly DeviceMessage[]>;
  /** Without a position all messages count. Messages of the users `without` do not count (AB12). */
  unread(
    channel: ChannelRef,
    from: {
      readonly after: MessagePosition | null;
      readonly userId: string;
      readonly without?: readonly string[];
    },
  ): Promise<UnreadCount>;
  /**
   * Messages of a room that changed after a time of this device, oldest change first. Every part of `FullMessage`
   * counts as a change, also those that do not change `updatedAt`: reactions, edits that are not shown, and the
   * delivery. Each message comes once, at its last change; `next` is `null` on the last page.
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
  /** All meta records with this key prefix, by key, without secrets. */
  metaEntries(prefix: string): Promise<readonly { readonly key: string; readonly value: string }[]>;
}

/** The store of a client: SQLite behind the bridge in the desktop window, IndexedDB in a browser. */
export type ClientStore = DeviceWriter &
  Omit<DeviceReader, "messagesJson" | "messagesSinceJson"> &
  HistoryReader & {
    /** Erases everything of the account, for a new owner of the device. Times of change keep increasing. */
    eraseAll(): Promise<void>;
  };
