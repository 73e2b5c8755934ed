import { createStore } from "zustand/vanilla";
import type { MessagePosition } from "@hearth/store";
import type { ChannelRef, ClientStore, UnreadCount } from "@hearth/store";
import type { Readable } from "../../observable.ts";
import type { Platform } from "../../ports.ts";
import { channelKey } from "../chat.ts";
import type { ChatState, Timeline, TimelineMessage, TimelineState } from "../chat.ts";
import type { MessageDetails } from "../message-details.ts";
import { positionOf } from "../message-position.ts";
import { isDiscarded } from "../message-records.ts";
import type { ChatEvents } from "../chat-events.ts";
import type { ReadPositions } from "../reading/read-positions.ts";
import { BatchQueue } from "../batch-queue.ts";
import { createSerial } from "../serial.ts";
import type { MessageWindow } from "./timeline-window.ts";
import { windowReader } from "./window-reader.ts";
import type { WindowChange, WindowReader } from "./window-reader.ts";

export interface TimelineParts {
  readonly platform: Pick<Platform, "later">;
  readonly store: ClientStore;
  readonly chat: Readable<ChatState>;
  readonly events: ChatEvents;
  readonly reads: ReadPositions;
  readonly details: MessageDetails;
  /** Our user id in the server; empty if the server is unknown. */
  actorId(): string;
  /** AB12: whose messages do not count as unread. */
  blocked(): readonly string[];
  /** Resolves when the read positions are loaded. */
  readonly isLoaded: Promise<unknown>;
}

const NOTHING_UNREAD: UnreadCount = { messages: 0, mentions: 0, first: null };

const EMPTY: TimelineState = {
  phase: "loading",
  messages: [],
  hasOlder: false,
  hasNewer: false,
  divider: null,
  unread: NOTHING_UNREAD,
};

const isSameCount = (a: UnreadCount, b: UnreadCount): boolean =>
  a.messages === b.messages && a.mentions === b.mentions && a.first?.id === b.first?.id;

const withoutDiscarded = (messages: readonly TimelineMessage[]): readonly TimelineMessage[] =>
  messages.some(isDiscarded) ? messages.filter((message) => !isDiscarded(message)) : messages;

/**
 * All changes of the window run one after the other, and an event about a message follows its storing. So a message
 * is either in a page that is read, or it is added afterwards.
 */
export class ChannelTimeline implements Timeline {
  readonly channel: ChannelRef;
  readonly state = createStore<TimelineState>(() => EMPTY);
  private readonly parts: TimelineParts;
  private readonly reader: WindowReader;
  private readonly inOrder = createSerial();
  private readonly queue: BatchQueue<string>;
  private readonly leaves: readonly (() => void)[];
  private readonly paging = new Map<WindowChange, Promise<void>>();
  private window: MessageWindow<TimelineMessage>;
  private isReleased = false;

  constructor(channel: ChannelRef, parts: TimelineParts) {
    const { platform, store, details, events, chat } = parts;
    this.channel = channel;
    this.parts = parts;
    this.reader = windowReader(channel, store, details);
    this.window = this.reader.empty;
    this.queue = new BatchQueue(platform, async (messageIds) => this.refresh(messageIds));
    this.leaves = [
      events.on((item) => {
        if (item.kind === "messages" && item.roomId === channel.roomId) this.queue.add(item.messageIds);
      }),
      chat.subscribe(({ activity }) => this.followUnread(activity.get(channelKey(channel)))),
    ];
    void this.inOrder(async () => this.open()).catch(() => this.state.setState({ phase: "failed" }));
  }

  async loadOlder(): Promise<void> {
    return this.page(this.reader.older);
  }

  async loadNewer(): Promise<void> {
    return this.page(this.reader.newer);
  }

  async jumpTo(messageId: string): Promise<boolean> {
    const { roomId, channelId } = this.channel;
    const message = await this.parts.store.message(messageId);
    if (message?.roomId !== roomId || message.channelId !== channelId) return false;
    await this.change(async (now) =>
      now.messages.some(({ id }) => id === messageId) ? now : this.reader.around(positionOf(message)),
    );
    return true;
  }

  async jumpToFirstUnread(): Promise<void> {
    const { divider, unread } = this.state.getState();
    const first = divider ?? unread.first;
    await this.change(async () => (first ? this.reader.around(first) : this.reader.newest()));
  }

  async jumpToNewest(): Promise<void> {
    await this.change(async (now) =>
      now.hasNewer || now.messages.length === 0 ? this.reader.newest() : now,
    );
  }

  markRead(position: MessagePosition): void {
    this.parts.reads.advance(this.channel, position);
  }

  release(): void {
    this.isReleased = true;
    for (const leave of this.leaves) leave();
    this.queue.stop();
  }

  private async open(): Promise<void> {
    const { store, reads, isLoaded } = this.parts;
    await isLoaded;
    const from = {
      ...{ after: reads.of(this.channel), userId: this.parts.actorId() },
      without: this.parts.blocked(),
    };
    const unread = await store.unread(this.channel, from);
    const divider = unread.first;
    const window = await (divider ? this.reader.around(divider) : this.reader.newest());
    this.show(window, { phase: "ready", divider, unread });
  }

  private show(window: MessageWindow<TimelineMessage>, changes: Partial<TimelineState>): void {
    if (this.isReleased) return;
    this.window = window;
    const { messages, hasOlder, hasNewer } = window;
    this.state.setState({ messages: withoutDiscarded(messages), hasOlder, hasNewer, ...changes });
  }

  private async change(work: WindowChange): Promise<void> {
    return this.inOrder(async () => {
      if (!this.isReleased) this.show(await work(this.window), { phase: "ready" });
    });
  }

  /** One load per direction at a time. */
  private async page(work: WindowChange): Promise<void> {
    const running = this.paging.get(work);
    if (running) return running;
    const paged = this.change(work).finally(() => this.paging.delete(work));
    this.paging.set(work, paged);
    return paged;
  }

  private async refresh(messageIds: readonly string[]): Promise<void> {
    return this.inOrder(async () => {
      const window = await this.reader.refreshed(this.window, new Set(messageIds));
      if (window !== this.window) this.show(window, {});
    });
  }

  private followUnread(counted: UnreadCount | undefined): void {
    if (!counted || isSameCount(counted, this.state.getState().unread)) return;
    const { messages, mentions, first } = counted;
    this.state.setState({ unread: { messages, mentions, first } });
  }
}
