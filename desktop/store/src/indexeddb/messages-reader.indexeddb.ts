import type { MessageEdit } from "@hearth/device";
import { inOrder } from "@hearth/device";
import { orderKey } from "@hearth/device";
import type {
  ChangePage,
  ChangePosition,
  DeviceReader,
  MessagePage,
  MessagePosition,
} from "../device-store.ts";
import type { StoreCalls } from "./database/calls.indexeddb.ts";
import { behind, behindAll, onward, within } from "./database/key-ranges.indexeddb.ts";
import { firstOf, nth } from "./database/pages.indexeddb.ts";
import type { MessageOrder, StoredPage } from "./database/pages.indexeddb.ts";
import { messageOf } from "./stored-message.indexeddb.ts";

type From = { readonly offset: number } | MessagePosition;
type After = ChangePosition | { readonly updatedAt: number };

const NOTHING: StoredPage = { rows: [], hasMore: false };

/** The range that a page starts with; `undefined` after the last message. */
async function rangeFrom(
  order: MessageOrder,
  roomId: string,
  from: From,
  total: number,
): Promise<IDBKeyRange | undefined> {
  if ("id" in from) return behind([roomId], [from.timestamp, orderKey(from.id)]);
  if (from.offset >= total) return undefined;
  const first = await nth(order, within(roomId), from.offset);
  return first && onward([roomId], [first.timestamp, first.sortId]);
}

type PagesReader = Pick<DeviceReader, "messages" | "messagesSince" | "message" | "messageEdits">;

export const messagesReader = ({ read }: StoreCalls): PagesReader => ({
  messages: read(
    ["rooms", "messages"],
    async (
      transaction,
      roomId: string,
      { limit, from }: { readonly limit: number; readonly from: From },
    ): Promise<MessagePage | undefined> => {
      const order = transaction.objectStore("messages").index("inRoom");
      const [room, total] = await Promise.all([
        transaction.objectStore("rooms").getKey(roomId),
        order.count(within(roomId)),
      ]);
      if (room === undefined) return undefined;
      const range = await rangeFrom(order, roomId, from, total);
      const { rows, hasMore } = range ? await firstOf(order, range, limit) : NOTHING;
      const last = hasMore ? rows.at(-1) : undefined;
      const next = last ? { timestamp: last.timestamp, id: last.id } : null;
      return { messages: rows.map(messageOf), next, total };
    },
  ),
  messagesSince: read(
    ["rooms", "messages"],
    async (
      transaction,
      roomId: string,
      { limit, after }: { readonly limit: number; readonly after: After },
    ): Promise<ChangePage | undefined> => {
      const order = transaction.objectStore("messages").index("byChange");
      const range =
        "id" in after
          ? behind([roomId], [after.updatedAt, orderKey(after.id)])
          : behindAll([roomId], after.updatedAt);
      const [room, { rows, hasMore }] = await Promise.all([
        transaction.objectStore("rooms").getKey(roomId),
        firstOf(order, range, limit),
      ]);
      if (room === undefined) return undefined;
      const last = hasMore ? rows.at(-1) : undefined;
      return {
        messages: rows.map(messageOf),
        next: last ? { updatedAt: last.updatedAt, id: last.id } : null,
      };
    },
  ),
  message: read(["messages"], async (transaction, messageId: string) => {
    const row = await transaction.objectStore("messages").get(messageId);
    return row && messageOf(row);
  }),
  messageEdits: read(["messages", "messageChanges"], async (transaction, messageId: string) => {
    const row = await transaction.objectStore("messages").get(messageId);
    if (!row) return undefined;
    const { roomId, original, timestamp } = row;
    if (original === null) return [];
    const changes = await transaction.objectStore("messageChanges").get([messageId, roomId]);
    const written: MessageEdit = { messageId, roomId, content: original, revision: 0, editedAt: timestamp };
    return [written, ...inOrder(changes?.edits ?? []).map((edit) => ({ messageId, roomId, ...edit }))];
  }),
});
