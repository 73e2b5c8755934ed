import { createStore } from "zustand/vanilla";
import type { MessagePosition } from "../../store/device-store.ts";
import type { ChannelPlace, ClientStore, UnreadCount } from "../../store/history.ts";
import type { Readable } from "../observable.ts";
import type { Platform } from "../ports.ts";
import { channelKey } from "./chat.ts";
import type { ChatState, Timeline, TimelineMessage, TimelineState } from "./chat.ts";
import type { MessageDetails } from "./message-details.ts";
import { positionOf } from "./message-position.ts";
import { isDiscarded } from "./message-records.ts";
import type { NewsDesk } from "./news.ts";
import type { ReadPositions } from "./read-positions.ts";
import { createRounds } from "./rounds.ts";
import { createSerial } from "./serial.ts";
import { windowReader } from "./window-reader.ts";
import type { WindowChange } from "./window-reader.ts";

export interface TimelineParts {
  readonly platform: Pick<Platform, "later">;
  readonly store: ClientStore;
  readonly chat: Readable<ChatState>;
  readonly news: NewsDesk;
  readonly reads: ReadPositions;
  readonly details: MessageDetails;
  /** Our user id in the room; empty for a room that is not known. */
  actorId(): string;
  /** Settles when it is known how far everything was read. */
  readonly isLoaded: Promise<void>;
}

const NOTHING_UNREAD: UnreadCount = { messages: 0, mentions: 0, first: null };

/**
 * Everything that changes the window happens one after the other, and news of a message come after it was stored: so a
 * message is either in a page that is read, or it finds its place in the window afterwards.
 */
export function createTimeline(place: ChannelPlace, parts: TimelineParts): Timeline {
  const { store, chat, news, reads } = parts;
  const reader = windowReader(place, store, parts.details);
  const serial = createSerial();
  const state = createStore<TimelineState>(() => ({
    phase: "loading",
    messages: [],
    hasOlder: false,
    hasNewer: false,
    divider: null,
    unread: NOTHING_UNREAD,
  }));
  const leaving = new AbortController();
  const paging = new Map<string, Promise<void>>();
  let window = reader.empty;

  function show(next: typeof window, changes: Partial<TimelineState> = {}): void {
    if (leaving.signal.aborted) return;
    if (next === window && Object.keys(changes).length === 0) return;
    window = next;
    const { messages, hasOlder, hasNewer } = window;
    state.setState({ messages: withoutDiscarded(messages), hasOlder, hasNewer, ...changes });
  }

  const change = async (work: WindowChange): Promise<void> =>
    serial(async () => {
      if (!leaving.signal.aborted) show(await work(window), { phase: "ready" });
    });

  async function open(): Promise<void> {
    await parts.isLoaded;
    const unread = await store.unread(place, { after: reads.of(place), userId: parts.actorId() });
    const divider = unread.first;
    show(await (divider ? reader.around(divider) : reader.newest()), { phase: "ready", divider, unread });
  }

  /** Pages of one direction are not asked for twice at a time. */
  async function page(direction: "older" | "newer"): Promise<void> {
    const running = paging.get(direction);
    if (running) return running;
    const work = change(direction === "older" ? reader.older : reader.newer).finally(() =>
      paging.delete(direction),
    );
    paging.set(direction, work);
    return work;
  }

  async function jumpTo(messageId: string): Promise<boolean> {
    const message = await store.message(messageId);
    if (message?.roomId !== place.roomId || message.channelId !== place.channelId) return false;
    if (!state.getState().messages.some(({ id }) => id === messageId))
      await change(async () => reader.around(positionOf(message)));
    return true;
  }

  const rounds = createRounds<string>(parts.platform, async (messageIds) =>
    serial(async () => {
      if (!leaving.signal.aborted) show(await reader.refreshed(window, new Set(messageIds)));
    }),
  );
  const leaves = [
    news.on((item) => {
      if (item.kind === "messages" && item.roomId === place.roomId) rounds.add(item.messageIds);
    }),
    chat.subscribe(({ activity }) => followUnread(activity.get(channelKey(place)))),
  ];

  function followUnread(counted: UnreadCount | undefined): void {
    const { unread } = state.getState();
    if (!counted || isSameCount(counted, unread)) return;
    const { messages, mentions, first } = counted;
    state.setState({ unread: { messages, mentions, first } });
  }

  void serial(open).catch(() => state.setState({ phase: "failed" }));

  return {
    place,
    state,
    loadOlder: async () => page("older"),
    loadNewer: async () => page("newer"),
    jumpTo,
    async jumpToFirstUnread() {
      const { divider, unread } = state.getState();
      const first = divider ?? unread.first;
      await change(async () => (first ? reader.around(first) : reader.newest()));
    },
    jumpToNewest: async () => change(async (now) => (now.hasNewer || isEmpty(now) ? reader.newest() : now)),
    markRead: (position: MessagePosition) => reads.advance(place, position),
    release() {
      leaving.abort();
      for (const leave of leaves) leave();
      rounds.stop();
    },
  };
}

const isEmpty = ({ messages }: { readonly messages: readonly unknown[] }): boolean => messages.length === 0;

const isSameCount = (a: UnreadCount, b: UnreadCount): boolean =>
  a.messages === b.messages && a.mentions === b.mentions && a.first?.id === b.first?.id;

const withoutDiscarded = (messages: readonly TimelineMessage[]): readonly TimelineMessage[] =>
  messages.some(isDiscarded) ? messages.filter((message) => !isDiscarded(message)) : messages;
