import type { DeviceAttachment } from "@hearth/device";
import type { ClientStore } from "@hearth/store";
import type { SyncedAttachment, SyncPayloads } from "../../wire.ts";
import { jsonBytes } from "./chunks.ts";
import { inPieces, messageDigest, fullSyncedMessage } from "./synced-messages.ts";
import type { FullSyncedMessage } from "./synced-messages.ts";

const PAGE = 200;
export const MAX_MESSAGES = 200;
export const MAX_BYTES = 256 * 1024;

type AnyBatch = Extract<SyncPayloads, { readonly type: "chat-sync-batch" }>;
export type Batch = Omit<AnyBatch, "messages"> & { readonly messages: readonly FullSyncedMessage[] };

export type AttachmentsByMessage = ReadonlyMap<string, readonly SyncedAttachment[]>;

const attachmentOf = ({ id, filename, size, mime, hash, createdAt }: DeviceAttachment): SyncedAttachment => ({
  id,
  filename,
  size,
  mime,
  hash,
  createdAt,
});

export const attachmentsByMessage = (attachments: readonly DeviceAttachment[]): AttachmentsByMessage =>
  new Map(
    [...Map.groupBy(attachments, ({ messageId }) => messageId)].map(([messageId, all]) => [
      messageId,
      all.map(attachmentOf),
    ]),
  );

interface Piece {
  readonly message: FullSyncedMessage;
  readonly attachments: readonly SyncedAttachment[];
}

const batchOf = (roomId: string, pieces: readonly Piece[], final: boolean): Batch => ({
  type: "chat-sync-batch",
  roomId,
  messages: pieces.map(({ message }) => message),
  attachments: Object.fromEntries(
    pieces.flatMap(({ message, attachments }) =>
      attachments.length > 0 ? [[message.id, attachments] as const] : [],
    ),
  ),
  final,
});

/** All messages of a room that changed after a time of the store's clock, in order of the change. */
async function* messagesChangedSince(
  store: ClientStore,
  roomId: string,
  since: number,
): AsyncGenerator<readonly FullSyncedMessage[]> {
  let after: { readonly updatedAt: number; readonly id?: string } | null = { updatedAt: since };
  while (after) {
    const page: Awaited<ReturnType<ClientStore["fullMessages"]>> = await store.fullMessages(roomId, {
      after,
      limit: PAGE,
    });
    yield page.messages.filter(({ message }) => message.delivery === "sent").map(fullSyncedMessage);
    after = page.next;
  }
}

export interface RoomBatches {
  readonly store: ClientStore;
  readonly roomId: string;
  readonly since: number;
  readonly attachments: AttachmentsByMessage;
  /** True for digests that the receiver knows. */
  readonly isKnown: (digest: string) => boolean;
}

/** The batches of a room, sized to fit a frame, the last one `final`. No batches for an empty room. */
export async function* roomBatches(room: RoomBatches): AsyncGenerator<Batch> {
  const { store, roomId, since, attachments, isKnown } = room;
  let pieces: Piece[] = [];
  let bytes = 0;
  for await (const messages of messagesChangedSince(store, roomId, since)) {
    for (const message of messages) {
      if (isKnown(messageDigest(message))) continue;
      for (const piece of inPieces(message, MAX_BYTES / 2)) {
        const files = attachments.get(piece.id) ?? [];
        const size = jsonBytes(piece) + jsonBytes(files) + piece.id.length + 8;
        if (pieces.length > 0 && (pieces.length === MAX_MESSAGES || bytes + size > MAX_BYTES)) {
          yield batchOf(roomId, pieces, false);
          pieces = [];
          bytes = 0;
        }
        pieces.push({ message: piece, attachments: files });
        bytes += size;
      }
    }
  }
  if (pieces.length > 0) yield batchOf(roomId, pieces, true);
}
