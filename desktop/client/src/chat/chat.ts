import type { WireMessage } from "@hearth/contracts";
import type { DeviceAttachment, DeviceMessage, DeviceReaction } from "@hearth/device";
import type { ChannelRef, UnreadCount } from "@hearth/store";
import type { MessagePosition } from "@hearth/store";
import type { ClientProblem } from "@hearth/device";
import type { Readable } from "../observable.ts";

export interface TimelineMessage extends DeviceMessage {
  readonly reactions: readonly DeviceReaction[];
  readonly attachments: readonly DeviceAttachment[];
  /** The message it replies to, if this device has it. */
  readonly repliesTo: Pick<
    DeviceMessage,
    "id" | "senderId" | "senderDisplayName" | "content" | "deletedAt"
  > | null;
  /** Why it was not sent, while `delivery` is `failed` or `pending`. */
  readonly problem: ClientProblem | null;
}

export interface TimelineState {
  readonly phase: "loading" | "ready" | "failed";
  /** Sorted by (timestamp, id), without gaps. */
  readonly messages: readonly TimelineMessage[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  /** Where the unread messages began when the channel was opened. It stays until the channel is closed. */
  readonly divider: MessagePosition | null;
  readonly unread: UnreadCount;
}

/** A window of messages of one channel, kept current until it is released. */
export interface Timeline {
  readonly channel: ChannelRef;
  readonly state: Readable<TimelineState>;
  loadOlder(): Promise<void>;
  loadNewer(): Promise<void>;
  /** Shows a message with its neighbours. False if this device does not have the message. */
  jumpTo(messageId: string): Promise<boolean>;
  jumpToFirstUnread(): Promise<void>;
  jumpToNewest(): Promise<void>;
  /** Marks everything up to this message as read. Call it only while the page has the user's attention. */
  markRead(position: MessagePosition): void;
  release(): void;
}

export interface ChannelActivity extends UnreadCount {
  readonly lastMessageAt: number | null;
  readonly hasDraft: boolean;
}

export interface ChatState {
  /** By `channelKey`. */
  readonly activity: ReadonlyMap<string, ChannelActivity>;
  /** Who is typing, by `channelKey`, without this account. Entries expire after 6 s. */
  readonly typing: ReadonlyMap<string, readonly { readonly userId: string; readonly displayName: string }[]>;
}

export const channelKey = ({ roomId, channelId }: ChannelRef): string => `${roomId}/${channelId ?? ""}`;

/** A message as its author writes it; `BLANK_MESSAGE` has the optional fields. */
export type MessageDraft = Pick<WireMessage, "content"> &
  Partial<Omit<WireMessage, "id" | "content" | "timestamp" | "clientInstanceId">>;

export interface NewMention {
  readonly channel: ChannelRef;
  readonly message: DeviceMessage;
  readonly isMention: boolean;
}

/** Messages of all servers: reading, sending and read positions (rule CL5). */
export interface Chat {
  readonly state: Readable<ChatState>;
  timeline(channel: ChannelRef): Timeline;
  /**
   * Stores the message as `pending`, then sends it. Messages go out in the order of writing, also after a restart. A
   * message that waited for long is sent with a new timestamp, which every device then shows.
   */
  send(channel: ChannelRef, message: MessageDraft): Promise<void>;
  retry(messageId: string): Promise<void>;
  /** Removes a message that was never sent. */
  discard(messageId: string): Promise<void>;
  edit(messageId: string, content: string): Promise<void>;
  remove(messageId: string): Promise<void>;
  react(messageId: string, emoji: string, present: boolean): Promise<void>;
  /**
   * Call it on every keystroke with the current text. It is throttled, an empty text ends typing, and it does nothing
   * if the user has turned typing indicators off.
   */
  typing(channel: ChannelRef, text: string): void;
  draft(channel: ChannelRef): Promise<string>;
  /** Debounced. Drafts survive a restart. */
  saveDraft(channel: ChannelRef, text: string): void;
  markAllRead(roomId: string): Promise<void>;
  search(query: { readonly text: string; readonly roomId?: string }): Promise<readonly DeviceMessage[]>;
  /** Reports live messages of others, for notifications. Messages of a catch-up are not reported. */
  onArrival(listener: (arrival: NewMention) => void): () => void;
  start(): Promise<void>;
  stop(): void;
}
