import { wireMessageSchema } from "@hearth/contracts";
import type { WireMessage } from "@hearth/contracts";
import { copyOf, fieldsOf } from "@hearth/device";
import type { FullMessage } from "@hearth/store";
import type { SyncedMessage } from "../../wire.ts";
import { jsonBytes } from "./chunks.ts";
import { digestOf } from "../digest.ts";

/** Further edits and reactions follow in another copy of the same message. */
const MAX_EDITS = 40;
const MAX_REACTIONS = 500;

export type FullSyncedMessage = Required<SyncedMessage>;

const copyOfWire = copyOf<WireMessage>(wireMessageSchema);
const DIGESTED_FIELDS = fieldsOf(wireMessageSchema).filter((field) => field !== "id");

export const fullSyncedMessage = ({
  message,
  edits,
  deletedAt,
  reactions,
}: FullMessage): FullSyncedMessage => ({
  ...copyOfWire(message),
  roomId: message.roomId,
  channelId: message.channelId,
  senderId: message.senderId,
  senderDisplayName: message.senderDisplayName,
  edits: edits.map(({ content, revision, editedAt }) => ({ content, revision, editedAt })),
  deletedAt,
  reactions: reactions.map(({ emoji, userId, present, at }) => ({ emoji, userId, present, at })),
});

/** The same for equal knowledge of one message on any device, so the order of the fields is part of the protocol. */
export const messageDigest = (message: FullSyncedMessage): string =>
  digestOf([
    message.id,
    message.roomId,
    message.channelId,
    message.senderId,
    message.senderDisplayName,
    ...DIGESTED_FIELDS.map((field) => message[field]),
    message.edits.map(({ content, revision, editedAt }) => [revision, editedAt, content]),
    message.deletedAt,
    message.reactions.map(({ emoji, userId, present, at }) => [emoji, userId, present, at]),
  ]);

const slices = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.max(1, Math.ceil(items.length / size)) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );

function editSlices(message: FullSyncedMessage, mostBytes: number): readonly (readonly SyncedEdit[])[] {
  const all: SyncedEdit[][] = [[]];
  let bytes = 0;
  for (const edit of message.edits) {
    const size = jsonBytes(edit);
    const current = all.at(-1);
    if (current && current.length < MAX_EDITS && (current.length === 0 || bytes + size <= mostBytes)) {
      current.push(edit);
      bytes += size;
    } else {
      all.push([edit]);
      bytes = size;
    }
  }
  return all;
}

type SyncedEdit = FullSyncedMessage["edits"][number];

/** Splits a message into pieces that can be applied alone and in any order. */
export function inPieces(message: FullSyncedMessage, mostBytes: number): readonly FullSyncedMessage[] {
  const edits = editSlices(message, mostBytes);
  const reactions = slices(message.reactions, MAX_REACTIONS);
  return Array.from({ length: Math.max(edits.length, reactions.length) }, (_, index) => ({
    ...message,
    edits: edits[index] ?? [],
    reactions: reactions[index] ?? [],
  }));
}
