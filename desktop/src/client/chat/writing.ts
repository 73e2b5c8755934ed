import { LIMITS } from "@hearth/contracts";
import type { DeviceMessage } from "../../device/records.ts";
import type { NewMessage } from "../../store/device-store.ts";
import type { ChannelPlace } from "../../store/history.ts";
import { ClientProblem } from "../problem.ts";
import type { SyncPayloads } from "../wire.ts";
import type { Chat } from "./chat.ts";
import { chatRoom } from "./chat-deps.ts";
import type { ChatDeps, ChatRoom } from "./chat-deps.ts";
import type { Failures } from "./failures.ts";
import { newMessageOf, wireMessageOf } from "./message-records.ts";
import type { NewsDesk } from "./news.ts";
import type { Outbox } from "./outbox.ts";
import { QUEUE_PREFIX, applyChange } from "./queued-change.ts";
import type { QueuedChange } from "./queued-change.ts";
import { isModerator } from "./rights.ts";
import { createSerial } from "./serial.ts";

export type Writing = Pick<Chat, "send" | "retry" | "discard" | "edit" | "remove" | "react">;

/** What the envelope around a message may take of the largest one (rule WS12). */
const ENVELOPE_BYTES = 1_024;

const encoder = new TextEncoder();

const notFound = (what: string): ClientProblem =>
  new ClientProblem("NOT_FOUND", { message: `${what} is not here` });

function refuseUnsendable(text: string, wire: unknown, room: ChatRoom): void {
  if (text.trim() === "") throw new ClientProblem("INVALID_REQUEST", { message: "A message needs a text" });
  const limit = room.connection?.state.getState().limits?.messageBytes ?? LIMITS.messageBytes;
  if (encoder.encode(JSON.stringify(wire)).length > limit - ENVELOPE_BYTES)
    throw new ClientProblem("PAYLOAD_TOO_LARGE", { message: "The message is too long" });
}

/** What the account's other devices are told of a change. */
function told(change: QueuedChange): SyncPayloads {
  const { roomId, messageId } = change;
  switch (change.kind) {
    case "edit":
      return { type: "message-revision", roomId, messageId, revision: change.revision };
    case "removal":
      return { type: "message-delete", roomId, messageId, deletedAt: change.deletedAt };
    case "reaction": {
      const { emoji, userId, present, at } = change;
      return { type: "message-reaction", roomId, change: { messageId, emoji, userId, present, at } };
    }
  }
}

/** What this account writes: stored first, then sent by the outbox. */
export function createWriting(
  deps: ChatDeps,
  parts: { readonly failures: Failures; readonly news: NewsDesk; readonly outbox: Outbox },
): Writing {
  const { platform, store, instance } = deps;
  const { failures, news, outbox } = parts;
  const inOrder = createSerial();
  let lastChangeAt = 0;

  function roomOf(roomId: string): ChatRoom {
    const room = chatRoom(deps, roomId);
    if (!room) throw notFound("The room");
    return room;
  }

  async function messageOf(messageId: string): Promise<DeviceMessage> {
    const message = await store.message(messageId);
    if (!message || message.deletedAt !== null) throw notFound("The message");
    return message;
  }

  function displayName({ place }: ChatRoom): string {
    const { servers } = deps.accounts.state.getState();
    const { account } = servers.find(({ url }) => url === place.room.signalServerUrl) ?? { account: null };
    return account?.displayName ?? account?.username ?? "";
  }

  /** Later than every message that is known there, so that an answer never stands above what it answers. */
  async function nextTimestamp(place: ChannelPlace, room: ChatRoom): Promise<number> {
    const { messages } = await store.messagesBefore(place, { limit: 1, before: null });
    return Math.max(room.now(), (messages.at(-1)?.timestamp ?? 0) + 1);
  }

  const changed = ({ id, roomId }: Pick<DeviceMessage, "id" | "roomId">): void => {
    news.announce({ kind: "messages", roomId, messageIds: [id] });
    outbox.flush(roomId);
  };

  /** Of two changes of one thing the later counts, so no two are of the same moment. */
  const changeTime = (room: ChatRoom): number => (lastChangeAt = Math.max(room.now(), lastChangeAt + 1));

  /** Queued before it is made, so that what is seen here is never kept from the others. */
  async function make(change: QueuedChange): Promise<void> {
    await store.setMeta(`${QUEUE_PREFIX}${platform.newId()}`, JSON.stringify(change));
    await applyChange(store, change);
    deps.tell(told(change));
    changed({ id: change.messageId, roomId: change.roomId });
  }

  const about = ({ roomId, channelId, id: messageId }: DeviceMessage) => ({ roomId, channelId, messageId });

  async function deliverAgain(message: DeviceMessage): Promise<void> {
    await store.saveMessages([newMessageOf(message, "pending")]);
    await failures.forget(message.id);
  }

  return {
    send: async (place, { content, replyToId = null, mentions = [] }) =>
      inOrder(async () => {
        const room = roomOf(place.roomId);
        const message: NewMessage = {
          id: platform.newId(),
          roomId: place.roomId,
          channelId: place.channelId,
          senderId: room.actorId,
          senderDisplayName: displayName(room),
          content,
          replyToId,
          mentions: [...new Set(mentions)],
          timestamp: await nextTimestamp(place, room),
          delivery: "pending",
          clientInstanceId: instance.id,
        };
        refuseUnsendable(content, wireMessageOf(message, instance.id), room);
        await store.saveMessages([message]);
        changed(message);
      }),
    async retry(messageId) {
      const message = await messageOf(messageId);
      if (message.delivery === "failed") await deliverAgain(message);
      if (message.delivery !== "sent") changed(message);
    },
    async discard(messageId) {
      const message = await messageOf(messageId);
      if (message.delivery === "sent")
        throw new ClientProblem("CONFLICT", { message: "The message went out" });
      const removal = { ...about(message), deletedAt: changeTime(roomOf(message.roomId)) };
      // What waits may have reached the room without our knowing; what was refused did not.
      if (message.delivery === "pending") return make({ ...removal, kind: "removal" });
      await applyChange(store, { ...removal, kind: "removal" });
      await failures.forget(messageId);
      changed(message);
    },
    async edit(messageId, content) {
      const message = await messageOf(messageId);
      const room = roomOf(message.roomId);
      if (message.senderId !== room.actorId) throw new ClientProblem("FORBIDDEN");
      if (message.content === content) return;
      const revision = { content, revision: message.revision + 1, editedAt: changeTime(room) };
      refuseUnsendable(content, revision, room);
      await make({ ...about(message), kind: "edit", revision });
    },
    async remove(messageId) {
      const message = await messageOf(messageId);
      const room = roomOf(message.roomId);
      const isAllowed = message.senderId === room.actorId || (await isModerator(store, room, room.actorId));
      if (!isAllowed) throw new ClientProblem("FORBIDDEN");
      await make({ ...about(message), kind: "removal", deletedAt: changeTime(room) });
    },
    async react(messageId, emoji, present) {
      const message = await messageOf(messageId);
      const room = roomOf(message.roomId);
      const change = { ...about(message), emoji, userId: room.actorId, present, at: changeTime(room) };
      await make({ ...change, kind: "reaction" });
    },
  };
}
