import type { WireMessage } from "@hearth/contracts";
import type { DeviceAttachment, DeviceMessage, DeviceReaction } from "@hearth/device";
import type { ChannelRef, UnreadCount } from "@hearth/store";
import type { MessagePosition } from "@hearth/store";
import type { ClientProblem } from "@hearth/device";
import type { Readable } from "../observable.ts";

export interface TimelineMessage extends DeviceMessage {
  readonly reactions: readonly DeviceReaction[];
  readonly attachments: readonly DeviceAttachment[];
  /** The message it answers, as far as this device has it. */
  readonly repliesTo: Pick<
    DeviceMessage,
    "id" | "senderId" | "senderDisplayName" | "content" | "deletedAt"
  > | null;
  /** Why it has not gone out, while `delivery` is `failed` or waits for its turn. */
  readonly problem: ClientProblem | null;
}

export interface TimelineState {
  readonly phase: "loading" | "ready" | "failed";
  /** By (timestamp, id), without gaps between its first and last. */
  readonly messages: readonly TimelineMessage[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  /** Where the unread ones began when the channel was entered; it stays until the channel is left. */
  readonly divider: MessagePosition | null;
  readonly unread: UnreadCount;
}

/** A window of messages of one channel, kept current while somebody holds it. */
export interface Timeline {
  readonly channel: ChannelRef;
  readonly state: Readable<TimelineState>;
  loadOlder(): Promise<void>;
  loadNewer(): Promise<void>;
  /** Shows the surroundings of a message; false when this device does not have it. */
  jumpTo(messageId: string): Promise<boolean>;
  jumpToFirstUnread(): Promise<void>;
  jumpToNewest(): Promise<void>;
  /** Everything up to this message was seen, by somebody who attends to the page. */
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
  /** Who is typing, by `channelKey`, without this account; ends by itself after 6 s. */
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

/** Messages of all rooms: what was written, what is on its way out, what was read (rule CL5). */
export interface Chat {
  readonly state: Readable<ChatState>;
  timeline(channel: ChannelRef): Timeline;
  /**
   * Stored as `pending` before anything is sent; goes out in the order of writing, over restarts too. What could not be
   * sent for long goes out with the time at which it does, and stands there for everybody.
   */
  send(channel: ChannelRef, message: MessageDraft): Promise<void>;
  retry(messageId: string): Promise<void>;
  /** Forgets a message that never went out. */
  discard(messageId: string): Promise<void>;
  edit(messageId: string, content: string): Promise<void>;
  remove(messageId: string): Promise<void>;
  react(messageId: string, emoji: string, present: boolean): Promise<void>;
  /**
   * Called on every keystroke with what is written then, where nothing ends it; throttled here, and silent where the
   * person does not want it told.
   */
  typing(channel: ChannelRef, text: string): void;
  draft(channel: ChannelRef): Promise<string>;
  /** Debounced; kept over restarts. */
  saveDraft(channel: ChannelRef, text: string): void;
  markAllRead(roomId: string): Promise<void>;
  search(query: { readonly text: string; readonly roomId?: string }): Promise<readonly DeviceMessage[]>;
  /** Live messages of others, for notifications; not those of a catch-up. */
  onArrival(listener: (arrival: NewMention) => void): () => void;
  start(): Promise<void>;
  stop(): void;
}
