import type { NewMessage } from "@hearth/device";
import type { ChatEvent } from "@hearth/contracts";
import type { ReceivedChange } from "./deferred-changes.ts";

/** AB10: how far a client's timestamp may differ from the server's. */
const TOLERANCE_MS = 30_000;

/**
 * AB10: the timestamp of a live message. The server's time replaces one that is too far off: an old
 * timestamp would sort the message before the read positions, so nobody would notice it. The result is the same for
 * all receivers, so all end with the same order.
 */
export const messageTime = (claimed: number | null, sentAt: number): number =>
  claimed === null || Math.abs(claimed - sentAt) > TOLERANCE_MS ? sentAt : claimed;

/**
 * AB10: the time of a change. A change may be as old as it says, which only makes it weaker. A time in the future
 * would win for ever, so it is replaced.
 */
export const changeTime = (claimed: number | null, sentAt: number): number =>
  claimed === null || claimed > sentAt + TOLERANCE_MS ? sentAt : claimed;

export type Received =
  | { readonly kind: "message"; readonly message: NewMessage }
  | { readonly kind: "change"; readonly change: ReceivedChange };

/** Converts a relayed message into records. */
export function receivedFrom(event: Exclude<ChatEvent, { type: "user_typing" }>): Received {
  const { serverId: roomId, channelId, fromUserId: authorId, sentAt } = event;
  if (event.type === "chat_message") {
    const { timestamp, ...message } = event.message;
    return {
      kind: "message",
      message: {
        ...message,
        roomId,
        channelId,
        senderId: authorId,
        senderDisplayName: event.fromDisplayName,
        timestamp: messageTime(timestamp, sentAt),
        delivery: "sent",
      },
    };
  }
  const { messageId } = event;
  const change = { roomId, messageId, authorId };
  switch (event.type) {
    case "message_revision": {
      const { content, revision, editedAt } = event.revision;
      const edit = { messageId, roomId, content, revision, editedAt: changeTime(editedAt, sentAt) };
      return { kind: "change", change: { ...change, kind: "edit", edit } };
    }
    case "message_delete": {
      const removal = { messageId, roomId, deletedAt: changeTime(event.deletedAt, sentAt) };
      return { kind: "change", change: { ...change, kind: "removal", removal } };
    }
    case "reaction": {
      const { emoji, action, at } = event;
      const word = { messageId, emoji, userId: authorId, present: action === "add" };
      return {
        kind: "change",
        change: { ...change, kind: "reaction", reaction: { ...word, at: changeTime(at, sentAt) } },
      };
    }
  }
}
