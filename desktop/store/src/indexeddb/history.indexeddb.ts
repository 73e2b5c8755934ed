import { hidingOf } from "@hearth/device";
import { orderKey } from "@hearth/device";
import { containsWords, searchWords } from "@hearth/device";
import type { DeviceMessage } from "@hearth/device";
import type { MessagePosition } from "../device-store.ts";
import type { ChannelRef, HistoryPage, HistoryReader, UnreadCount } from "../history.ts";
import type { StoreCalls } from "./database/calls.indexeddb.ts";
import { before, behind, within } from "./database/key-ranges.indexeddb.ts";
import { firstOf, lastOf } from "./database/pages.indexeddb.ts";
import type { MessageOrder, StoredPage } from "./database/pages.indexeddb.ts";
import type { ReadTransaction, StoredMessage } from "./database/schema.indexeddb.ts";
import { channelKey, messageOf } from "./stored-message.indexeddb.ts";

type Part = string | number;

const partsOf = ({ roomId, channelId }: ChannelRef): readonly Part[] => [
  roomId.toWellFormed(),
  channelKey(channelId?.toWellFormed() ?? null),
];

const keyOf = ({ timestamp, id }: MessagePosition): readonly Part[] => [timestamp, orderKey(id)];

const pageOf = ({ rows, hasMore }: StoredPage): HistoryPage => ({ messages: rows.map(messageOf), hasMore });

/** How many messages are read at once if the total is unknown. */
const STRIDE = 250;

async function searched(
  order: MessageOrder,
  parts: readonly Part[],
  isFound: (row: StoredMessage) => boolean,
  limit: number,
): Promise<readonly DeviceMessage[]> {
  const found: StoredMessage[] = [];
  let range = within(...parts);
  while (found.length < limit) {
    const { rows, hasMore } = await lastOf(order, range, STRIDE);
    found.push(...rows.toReversed().filter(isFound));
    const [oldest] = rows;
    if (!oldest || !hasMore) break;
    range = before(parts, keyOf(oldest));
  }
  return found.slice(0, limit).map(messageOf);
}

/** Counting stops here. */
const MOST = 100;

const newerThan = (parts: readonly Part[], after: MessagePosition | null): IDBKeyRange =>
  after ? behind(parts, keyOf(after)) : within(...parts);

/** Messages of others that count as unread, without removed ones and blocked users. */
async function unreadRows(
  order: MessageOrder,
  place: readonly Part[],
  after: MessagePosition | null,
  without: ReadonlySet<string>,
): Promise<readonly StoredMessage[]> {
  const unread: StoredMessage[] = [];
  let range = newerThan(place, after);
  while (unread.length < MOST) {
    const { rows, hasMore } = await firstOf(order, range, STRIDE);
    unread.push(...rows.filter(({ senderId, deletedAt }) => !without.has(senderId) && deletedAt === null));
    const last = rows.at(-1);
    if (!last || !hasMore) break;
    range = newerThan(place, last);
  }
  return unread.slice(0, MOST);
}

type UnreadFrom = Parameters<HistoryReader["unread"]>[1];

async function unreadCount(
  transaction: ReadTransaction<"messages">,
  place: readonly Part[],
  { after, userId, without = [] }: UnreadFrom,
): Promise<UnreadCount> {
  const store = transaction.objectStore("messages");
  const unheard = new Set([userId, ...without]);
  const [rows, mentions] = await Promise.all([
    unreadRows(store.index("inChannel"), place, after, unheard),
    without.length === 0
      ? store.index("mentions").getAllKeys(newerThan([...place, userId], after), MOST)
      : unreadRows(store.index("mentions"), [...place, userId], after, unheard),
  ]);
  const [first] = rows;
  return {
    messages: rows.length,
    mentions: mentions.length,
    first: first ? { timestamp: first.timestamp, id: first.id } : null,
  };
}

type PlaceReader = Pick<
  HistoryReader,
  "messagesBefore" | "messagesAfter" | "searchMessages" | "undelivered" | "unread"
>;
type BeforePage = Parameters<HistoryReader["messagesBefore"]>[1];
type AfterPage = Parameters<HistoryReader["messagesAfter"]>[1];
type Query = Parameters<HistoryReader["searchMessages"]>[0];

export const historyReader = ({ read }: StoreCalls): PlaceReader => ({
  messagesBefore: read(["messages"], async (transaction, channel: ChannelRef, page: BeforePage) => {
    const order = transaction.objectStore("messages").index("inChannel");
    const parts = partsOf(channel);
    const range = page.before ? before(parts, keyOf(page.before)) : within(...parts);
    return pageOf(await lastOf(order, range, page.limit));
  }),
  messagesAfter: read(["messages"], async (transaction, channel: ChannelRef, page: AfterPage) => {
    const order = transaction.objectStore("messages").index("inChannel");
    return pageOf(await firstOf(order, behind(partsOf(channel), keyOf(page.after)), page.limit));
  }),
  searchMessages: read(["messages", "rooms"], async (transaction, query: Query) => {
    const { text, roomId, limit, without = [] } = query;
    const words = searchWords(text);
    if (words.length === 0) return [];
    const isHidden = hidingOf(without, await transaction.objectStore("rooms").getAll());
    const isFound = (row: StoredMessage): boolean =>
      row.deletedAt === null && containsWords(row.content, words) && !isHidden(row);
    const messages = transaction.objectStore("messages");
    return roomId === undefined
      ? searched(messages.index("inTime"), [], isFound, limit)
      : searched(messages.index("inRoom"), [roomId.toWellFormed()], isFound, limit);
  }),
  undelivered: read(["messages"], async (transaction) => {
    const rows = await transaction.objectStore("messages").index("outgoing").getAll();
    return rows.map(messageOf);
  }),
  unread: read(["messages"], (transaction, channel: ChannelRef, from: UnreadFrom) =>
    unreadCount(transaction, partsOf(channel), { ...from, userId: from.userId.toWellFormed() }),
  ),
});
