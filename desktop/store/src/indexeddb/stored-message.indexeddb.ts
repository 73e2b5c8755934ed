import { copyOf, messageSchema, newMessageSchema } from "@hearth/device";
import { messageState } from "@hearth/device";
import type { MessageState, NewMessage } from "@hearth/device";
import { orderKey } from "@hearth/device";
import type { DeliveryState, DeviceMessage } from "@hearth/device";
import type { MessageChanges, StoredMessage } from "./database/schema.indexeddb.ts";

export const channelKey = (channelId: string | null): string | 0 => channelId ?? 0;

type Told = Pick<StoredMessage, "updatedAt" | "toldAt">;

/** Builds the record of a message with its changes and index fields. */
function stored(message: NewMessage, firstText: string, state: MessageState, told: Told): StoredMessage {
  const { id, roomId, channelId, senderId, timestamp, delivery } = message;
  const sortId = orderKey(id);
  const channel = channelKey(channelId);
  const isShown = state.deletedAt === null;
  const mentioned = isShown ? message.mentions.filter((userId) => userId !== senderId) : [];
  return {
    ...message,
    ...state,
    ...told,
    original: isShown && state.editedAt !== null ? firstText : null,
    sortId,
    channel,
    outgoing: isShown && delivery !== "sent" ? [timestamp, sortId] : null,
    mentionKeys: mentioned.map((userId) => [roomId, channel, userId, timestamp, sortId]),
  };
}

const stateOf = (firstText: string, changes: MessageChanges | undefined): MessageState =>
  messageState(
    firstText,
    changes?.edits ?? [],
    changes && changes.deletedAt !== null ? { deletedAt: changes.deletedAt } : undefined,
  );

/** A new message with the changes that arrived before it. */
export const arrived = (
  message: NewMessage,
  changes: MessageChanges | undefined,
  at: number,
): StoredMessage =>
  stored(message, message.content, stateOf(message.content, changes), { updatedAt: at, toldAt: at });

const isSameState = (a: MessageState, b: MessageState): boolean =>
  a.content === b.content &&
  a.revision === b.revision &&
  a.editedAt === b.editedAt &&
  a.deletedAt === b.deletedAt;

/** A message after further changes; `updatedAt` only counts visible ones. */
export function changed(known: StoredMessage, changes: MessageChanges, at: number): StoredMessage {
  const firstText = known.original ?? known.content;
  const state = stateOf(firstText, changes);
  const updatedAt = isSameState(state, known) ? known.updatedAt : at;
  return stored(known, firstText, state, { updatedAt, toldAt: at });
}

function inSameState(message: StoredMessage, told: Told): StoredMessage {
  const { content, revision, editedAt, deletedAt, original } = message;
  return stored(message, original ?? content, { content, revision, editedAt, deletedAt }, told);
}

/** Changes an unsent message that is stored with another delivery; only `FullMessage` shows it. */
export const delivered = (known: StoredMessage, delivery: DeliveryState, at: number): StoredMessage =>
  inSameState({ ...known, delivery }, { updatedAt: known.updatedAt, toldAt: at });

export const postponed = (known: StoredMessage, timestamp: number, at: number): StoredMessage =>
  inSameState({ ...known, timestamp }, { updatedAt: at, toldAt: at });

export const messageOf: (row: StoredMessage) => DeviceMessage = copyOf<DeviceMessage>(messageSchema);

const copyOfWritten = copyOf<NewMessage>(newMessageSchema);

/** The message with its first text, which is empty once it was removed. */
export const firstMessage = (row: StoredMessage): NewMessage =>
  copyOfWritten({ ...row, content: row.original ?? row.content });
