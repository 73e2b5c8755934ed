import { wireId, wireRevisionSchema, wireTime } from "@hearth/contracts";
import { z } from "zod";
import type { ClientStore } from "@hearth/store";
import type { OutgoingMessage } from "../../connection/connection.ts";
import { addressOf } from "../message-records.ts";

/** Edits, removals and reactions that wait to be sent, as meta records `outbox:<id>` in the order of their ids. */
export const QUEUE_PREFIX = "outbox:";

const about = { roomId: wireId, channelId: wireId.nullable(), messageId: wireId } as const;

const changeSchema = z.discriminatedUnion("kind", [
  z.object({ ...about, kind: z.literal("edit"), revision: wireRevisionSchema }),
  z.object({ ...about, kind: z.literal("removal"), deletedAt: wireTime }),
  z.object({
    ...about,
    kind: z.literal("reaction"),
    emoji: wireId,
    userId: wireId,
    present: z.boolean(),
    at: wireTime,
  }),
]);

export type QueuedChange = z.output<typeof changeSchema>;

/** `null` for a malformed record. */
export function parseQueuedChange(value: string): QueuedChange | null {
  try {
    const parsed = changeSchema.safeParse(JSON.parse(value));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The change as a socket message. */
export function outgoingChange(change: QueuedChange): OutgoingMessage {
  const { messageId } = change;
  const address = addressOf(change);
  switch (change.kind) {
    case "edit":
      return { type: "message_revision", ...address, messageId, revision: change.revision };
    case "removal":
      return { type: "message_delete", ...address, messageId, deletedAt: change.deletedAt };
    case "reaction": {
      const { emoji, present, at } = change;
      return { type: "reaction", ...address, messageId, emoji, action: present ? "add" : "remove", at };
    }
  }
}

/** Applies the change on this device. Idempotent. */
export async function applyChange(store: ClientStore, change: QueuedChange): Promise<void> {
  const { messageId, roomId } = change;
  switch (change.kind) {
    case "edit":
      return store.editMessages([{ messageId, roomId, ...change.revision }]);
    case "removal":
      return store.removeMessages([{ messageId, roomId, deletedAt: change.deletedAt }]);
    case "reaction": {
      const { emoji, userId, present, at } = change;
      return store.changeReactions([{ messageId, emoji, userId, present, at }]);
    }
  }
}
