import type { TimelineMessage } from "@hearth/client";
import type { MessagePosition } from "@hearth/store";

/** Messages of one person that follow each other so closely share one heading. */
const GROUP_MS = 5 * 60_000;

/** A message with what stands above it. */
export interface MessageRow {
  readonly message: TimelineMessage;
  readonly startsDay: boolean;
  /** The first one that was unread when the channel was entered. */
  readonly startsUnread: boolean;
  /** Shows who wrote it. */
  readonly startsGroup: boolean;
}

export const isAtOrBehind = (message: MessagePosition, position: MessagePosition): boolean =>
  message.timestamp > position.timestamp ||
  (message.timestamp === position.timestamp && message.id >= position.id);

/** The index of the first message at or behind a place; -1 where there is none. */
export const indexFrom = (messages: readonly MessagePosition[], position: MessagePosition): number =>
  messages.findIndex((message) => isAtOrBehind(message, position));

const continuesGroup = (before: TimelineMessage, message: TimelineMessage): boolean =>
  before.senderId === message.senderId &&
  before.senderDisplayName === message.senderDisplayName &&
  message.timestamp - before.timestamp < GROUP_MS &&
  message.replyToId === null &&
  before.deletedAt === null &&
  message.deletedAt === null;

/** What stands above each message of a window. The first of a window that goes on before it starts no unread ones. */
export function rowsOf(
  messages: readonly TimelineMessage[],
  about: {
    readonly divider: MessagePosition | null;
    readonly hasOlder: boolean;
    readonly dayOf: (time: number) => string;
  },
): readonly MessageRow[] {
  const { divider, hasOlder, dayOf } = about;
  const first = divider === null ? -1 : indexFrom(messages, divider);
  const isBeforeWindow = first === 0 && hasOlder && messages[0]?.id !== divider?.id;
  return messages.map((message, index) => {
    const before = messages[index - 1];
    const startsDay = before === undefined || dayOf(before.timestamp) !== dayOf(message.timestamp);
    const startsUnread = index === first && !isBeforeWindow;
    const startsGroup = startsDay || startsUnread || !continuesGroup(before, message);
    return { message, startsDay, startsUnread, startsGroup };
  });
}
