import type { MessagePosition } from "@hearth/store";
import { comparePositions } from "../message-position.ts";

/** Messages of a channel by (timestamp, id), with no gap between the first and the last. */
export interface MessageWindow<Message extends MessagePosition> {
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

interface Page<Message> {
  readonly messages: readonly Message[];
  readonly hasMore: boolean;
}

export const MAX_IN_WINDOW = 300;

type End = "older" | "newer";

function trimmed<Message extends MessagePosition>(
  window: MessageWindow<Message>,
  end: End,
): MessageWindow<Message> {
  const { messages } = window;
  if (messages.length <= MAX_IN_WINDOW) return window;
  return end === "older"
    ? { ...window, messages: messages.slice(-MAX_IN_WINDOW), hasOlder: true }
    : { ...window, messages: messages.slice(0, MAX_IN_WINDOW), hasNewer: true };
}

/** The earlier page without messages that moved into the later one. */
function without<Message extends MessagePosition>(
  messages: readonly Message[],
  later: readonly Message[],
): readonly Message[] {
  const ids = new Set(later.map(({ id }) => id));
  return messages.filter(({ id }) => !ids.has(id));
}

/** The window around a position: the page before it and the page after it, read in this order. */
export const windowOf = <Message extends MessagePosition>(
  older: Page<Message>,
  newer: Page<Message>,
): MessageWindow<Message> => ({
  messages: [...without(older.messages, newer.messages), ...newer.messages],
  hasOlder: older.hasMore,
  hasNewer: newer.hasMore,
});

/** Adds the page before the first message, and drops the newest messages beyond the limit. */
export const withOlder = <Message extends MessagePosition>(
  window: MessageWindow<Message>,
  page: Page<Message>,
): MessageWindow<Message> =>
  trimmed({ ...window, messages: [...page.messages, ...window.messages], hasOlder: page.hasMore }, "newer");

/** Adds the page after the last message, and drops the oldest messages beyond the limit. */
export const withNewer = <Message extends MessagePosition>(
  window: MessageWindow<Message>,
  page: Page<Message>,
): MessageWindow<Message> =>
  trimmed(
    {
      ...window,
      messages: [...without(window.messages, page.messages), ...page.messages],
      hasNewer: page.hasMore,
    },
    "older",
  );

/** True if a message belongs into the window: between its ends, or beyond an end that has no more messages. */
export function belongs<Message extends MessagePosition>(
  { messages, hasOlder, hasNewer }: MessageWindow<Message>,
  message: MessagePosition,
): boolean {
  const [first, last] = [messages[0], messages.at(-1)];
  if (!first || !last) return !hasOlder && !hasNewer;
  if (comparePositions(message, first) < 0) return !hasOlder;
  return comparePositions(message, last) <= 0 || !hasNewer;
}

/** Removes messages that are shown at another time than they are stored with. */
export function withoutMoved<Message extends MessagePosition>(
  window: MessageWindow<Message>,
  stored: readonly MessagePosition[],
): MessageWindow<Message> {
  const times = new Map(stored.map(({ id, timestamp }) => [id, timestamp]));
  const messages = window.messages.filter(({ id, timestamp }) => (times.get(id) ?? timestamp) === timestamp);
  return messages.length === window.messages.length ? window : { ...window, messages };
}

/** Adds new messages and replaces changed ones. Messages outside of the window are ignored. */
export function withChanged<Message extends MessagePosition>(
  window: MessageWindow<Message>,
  changed: readonly Message[],
): MessageWindow<Message> {
  const arriving = new Map(
    changed.filter((message) => belongs(window, message)).map((message) => [message.id, message]),
  );
  if (arriving.size === 0) return window;
  const kept = window.messages.map((message) => {
    const replacement = arriving.get(message.id);
    arriving.delete(message.id);
    return replacement ?? message;
  });
  if (arriving.size === 0) return { ...window, messages: kept };
  const messages = [...kept, ...arriving.values()].sort(comparePositions);
  return trimmed({ ...window, messages }, window.hasNewer ? "newer" : "older");
}
