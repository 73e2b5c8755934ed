import { attachmentOf, attachmentSchema } from "@hearth/device";
import { z } from "zod";
import { compareText } from "@hearth/device";
import type { DeviceAttachment, NewAttachment } from "@hearth/device";
import type { DeviceReader, DeviceWriter } from "../device-store.ts";
import type { StoreCalls } from "./database/calls.indexeddb.ts";
import { within } from "./database/key-ranges.indexeddb.ts";
import { Records, mergeRecords } from "./database/merging.indexeddb.ts";

export const messageExtrasWriter = ({ write }: StoreCalls): Pick<DeviceWriter, "saveAttachments"> => ({
  saveAttachments: write(
    ["attachments"],
    z.tuple([z.array(attachmentSchema)]),
    async (transaction, arriving) => {
      const attachments = transaction.objectStore("attachments");
      await mergeRecords(arriving, {
        keyOf: ({ id }) => id,
        get: (id) => attachments.get(id),
        put: (record) => attachments.put(record),
        merged: ({ localPath }, known) => (localPath === null ? undefined : { ...known, localPath }),
      });
    },
  ),
});

const shownInOrder = (attachments: readonly NewAttachment[]): DeviceAttachment[] =>
  attachments.map(attachmentOf).toSorted((a, b) => a.createdAt - b.createdAt || compareText(a.id, b.id));

type ExtrasReader = Pick<DeviceReader, "reactions" | "messageAttachments" | "attachments">;

/** Details of a removed message are not shown, whatever arrived first. */
export const messageExtrasReader = ({ read }: StoreCalls): ExtrasReader => ({
  reactions: read(["messages", "reactions"], async (transaction, messageId: string) => {
    const message = await transaction.objectStore("messages").get(messageId);
    if (!message) return undefined;
    if (message.deletedAt !== null) return [];
    const words = await transaction.objectStore("reactions").getAll(within(messageId));
    return words
      .filter(({ present }) => present)
      .map(({ emoji, userId, at }) => ({ messageId, emoji, userId, createdAt: at }))
      .toSorted(
        (a, b) =>
          a.createdAt - b.createdAt || compareText(a.emoji, b.emoji) || compareText(a.userId, b.userId),
      );
  }),
  messageAttachments: read(["messages", "attachments"], async (transaction, messageId: string) => {
    const [message, attachments] = await Promise.all([
      transaction.objectStore("messages").get(messageId),
      transaction.objectStore("attachments").index("ofMessage").getAll(messageId),
    ]);
    if (!message) return undefined;
    return message.deletedAt === null ? shownInOrder(attachments) : [];
  }),
  attachments: read(["messages", "attachments"], async (transaction) => {
    const all = await transaction.objectStore("attachments").getAll();
    const messages = await Records.read(
      all.map(({ messageId }) => messageId),
      (messageId) => transaction.objectStore("messages").get(messageId),
    );
    const isRemoved = ({ messageId }: NewAttachment): boolean =>
      (messages.get(messageId)?.deletedAt ?? null) !== null;
    return shownInOrder(all.filter((one) => !isRemoved(one)));
  }),
});
