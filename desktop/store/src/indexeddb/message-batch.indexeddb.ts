import { nextChangeTime } from "@hearth/device";
import { Records } from "./database/merging.indexeddb.ts";
import type { MessageChanges, StoredMessage, WriteTransaction } from "./database/schema.indexeddb.ts";

/** The object stores that every change of messages reads and writes. */
export const MESSAGE_STORES = ["messages", "messageChanges", "reactions", "changeTime"] as const;

export type MessageTransaction = WriteTransaction<(typeof MESSAGE_STORES)[number]>;

const ONE = 1;

/** The messages of one call, their changes, and the call's time of change. */
export interface MessageBatch {
  readonly messages: Records<string, StoredMessage>;
  readonly changes: Records<[messageId: string, roomId: string], MessageChanges>;
  readonly changeTime: () => number;
  readonly write: () => Promise<void>;
}

export async function messageBatch(
  transaction: MessageTransaction,
  about: readonly { readonly messageId: string; readonly roomId?: string }[],
  now: () => number,
): Promise<MessageBatch> {
  const messageStore = transaction.objectStore("messages");
  const changeStore = transaction.objectStore("messageChanges");
  const timeStore = transaction.objectStore("changeTime");
  const changeKeys = about.flatMap(({ messageId, roomId }): [string, string][] =>
    roomId === undefined ? [] : [[messageId, roomId]],
  );
  const [messages, changes, last = 0] = await Promise.all([
    Records.read(
      about.map(({ messageId }) => messageId),
      (id) => messageStore.get(id),
    ),
    Records.read(changeKeys, (key) => changeStore.get(key)),
    timeStore.get(ONE),
  ]);
  let given: number | undefined;
  return {
    messages,
    changes,
    changeTime: () => (given ??= nextChangeTime(last, now())),
    write: async () => {
      await messages.write((message) => messageStore.put(message));
      await changes.write((record) => changeStore.put(record));
      if (given !== undefined) await timeStore.put(given, ONE);
    },
  };
}
