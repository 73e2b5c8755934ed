import type { NewMessage } from "../../store/device-store.ts";
import type { ChatWire } from "../wire-schemas.ts";
import type { ToldChange } from "./held-changes.ts";

/** How far the clocks of honest clients are ahead of their server's. */
const TOLERANCE_MS = 10_000;

/**
 * The time that a client gave, or the server's when there is none or it lies in the future. The server's is the same for
 * everybody who hears it, so that all end with the same order.
 */
export const plausibleTime = (given: number | null, sentAt: number): number =>
  given === null || given > sentAt + TOLERANCE_MS ? sentAt : given;

export type Told =
  | { readonly kind: "message"; readonly message: NewMessage }
  | { readonly kind: "change"; readonly change: ToldChange };

/** What a relayed message means for the device's records. */
export function toldBy(wire: Exclude<ChatWire, { type: "user_typing" }>): Told {
  const { serverId: roomId, channelId, fromUserId: authorId, sentAt } = wire;
  if (wire.type === "chat_message") {
    const { timestamp, ...message } = wire.message;
    return {
      kind: "message",
      message: {
        ...message,
        roomId,
        channelId,
        senderId: authorId,
        senderDisplayName: wire.fromDisplayName,
        timestamp: plausibleTime(timestamp, sentAt),
        delivery: "sent",
      },
    };
  }
  const { messageId } = wire;
  const change = { roomId, messageId, authorId };
  switch (wire.type) {
    case "message_revision": {
      const { content, revision, editedAt } = wire.revision;
      const edit = { messageId, roomId, content, revision, editedAt: plausibleTime(editedAt, sentAt) };
      return { kind: "change", change: { ...change, kind: "edit", edit } };
    }
    case "message_delete": {
      const removal = { messageId, roomId, deletedAt: plausibleTime(wire.deletedAt, sentAt) };
      return { kind: "change", change: { ...change, kind: "removal", removal } };
    }
    case "reaction": {
      const { emoji, action, at } = wire;
      const word = { messageId, emoji, userId: authorId, present: action === "add" };
      return {
        kind: "change",
        change: { ...change, kind: "reaction", reaction: { ...word, at: plausibleTime(at, sentAt) } },
      };
    }
  }
}
