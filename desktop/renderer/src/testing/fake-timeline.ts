import { createStore } from "zustand/vanilla";
import type { Timeline, TimelineMessage, TimelineState } from "@hearth/client";
import type { ChannelRef, UnreadCount } from "@hearth/store";
import type { MessagePosition } from "@hearth/store";

const PAGE = 60;

const isBehind = (message: MessagePosition, position: MessagePosition | null): boolean =>
  position === null ||
  message.timestamp > position.timestamp ||
  (message.timestamp === position.timestamp && message.id > position.id);

/** What is unread of a channel: messages of others behind a position. */
export function unreadOf(
  messages: readonly TimelineMessage[],
  after: MessagePosition | null,
  userId: string,
): UnreadCount {
  const behind = messages.filter(
    (message) => message.senderId !== userId && message.deletedAt === null && isBehind(message, after),
  );
  const [first] = behind;
  return {
    messages: Math.min(behind.length, 100),
    mentions: Math.min(behind.filter(({ mentions }) => mentions.includes(userId)).length, 100),
    first: first === undefined ? null : { timestamp: first.timestamp, id: first.id },
  };
}

interface Source {
  readonly all: () => readonly TimelineMessage[];
  readonly subscribe: (listener: () => void) => () => void;
  readonly position: () => MessagePosition | null;
  readonly markRead: (position: MessagePosition) => void;
  readonly userId: string;
}

/** A window of one channel of the messages in memory. */
export function createFakeTimeline(channel: ChannelRef, source: Source): Timeline {
  let size = PAGE;
  let end: number | null = null;
  const divider = unreadOf(source.all(), source.position(), source.userId).first;
  const shown = (): TimelineState => {
    const all = source.all();
    const last = end ?? all.length;
    const from = Math.max(0, last - size);
    return {
      phase: "ready",
      messages: all.slice(from, last),
      hasOlder: from > 0,
      hasNewer: last < all.length,
      divider,
      unread: unreadOf(all, source.position(), source.userId),
    };
  };
  const state = createStore<TimelineState>(shown);
  const refresh = (): void => state.setState(shown(), true);
  const unsubscribe = source.subscribe(refresh);
  const jumpTo = async (messageId: string): Promise<boolean> => {
    const index = source.all().findIndex(({ id }) => id === messageId);
    if (index < 0) return false;
    end = Math.min(source.all().length, index + PAGE / 2);
    refresh();
    return true;
  };
  return {
    channel,
    state,
    async loadOlder() {
      size += PAGE;
      refresh();
    },
    async loadNewer() {
      if (end !== null) end += PAGE;
      if (end !== null && end >= source.all().length) end = null;
      size += PAGE;
      refresh();
    },
    jumpTo,
    async jumpToFirstUnread() {
      const { first } = state.getState().unread;
      if (first !== null) await jumpTo(first.id);
    },
    async jumpToNewest() {
      [size, end] = [PAGE, null];
      refresh();
    },
    markRead: source.markRead,
    release: unsubscribe,
  };
}
