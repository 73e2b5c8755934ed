import { LIMITS } from "@hearth/contracts";
import type { DeviceMessage, NewMessage } from "@hearth/device";
import type { ChannelRef } from "@hearth/store";
import type { AccountsState } from "../accounts/accounts.ts";
import { BLANK_MESSAGE, ClientProblem } from "@hearth/device";
import type { SyncPayloads } from "../wire.ts";
import type { Chat, MessageDraft } from "./chat.ts";
import { chatRoom } from "./chat-deps.ts";
import type { ChatDeps, ChatRoom } from "./chat-deps.ts";
import type { Failures } from "./failures.ts";
import { newMessageOf, wireMessageOf } from "./message-records.ts";
import type { MessageTimes } from "./message-times.ts";
import type { ChatEvents } from "./chat-events.ts";
import type { Outbox } from "./outbox/outbox.ts";
import { QUEUE_PREFIX, applyChange } from "./outbox/queued-change.ts";
import type { QueuedChange } from "./outbox/queued-change.ts";
import { moderates } from "./rights.ts";

export interface MessageActionsParts {
  readonly failures: Failures;
  readonly events: ChatEvents;
  readonly times: MessageTimes;
  readonly outbox: Outbox;
}

/** How many bytes of the largest message the envelope may take (rule WS12). */
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

function displayNameAt({ instances }: AccountsState, signalServerUrl: string): string {
  const { account } = instances.find(({ url }) => url === signalServerUrl) ?? { account: null };
  return account?.displayName ?? "";
}

/** The account-sync payload of a change. */
function syncPayload(change: QueuedChange): SyncPayloads {
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

type About = Pick<QueuedChange, "roomId" | "channelId" | "messageId">;

const about = ({ roomId, channelId, id: messageId }: DeviceMessage): About => ({
  roomId,
  channelId,
  messageId,
});

/** Writes of this account: stored first, then sent by the outbox. */
export class MessageActions
  implements Pick<Chat, "send" | "retry" | "discard" | "edit" | "remove" | "react">
{
  private readonly deps: ChatDeps;
  private readonly parts: MessageActionsParts;
  private lastChangeAt = 0;

  constructor(deps: ChatDeps, parts: MessageActionsParts) {
    this.deps = deps;
    this.parts = parts;
  }

  async send(channel: ChannelRef, written: MessageDraft): Promise<void> {
    const { store, instance } = this.deps;
    const room = this.roomOf(channel.roomId);
    return this.parts.times.assign(
      channel,
      () => room.now(),
      async (timestamp) => {
        const message = this.newMessage(channel, room, written, timestamp);
        refuseUnsendable(message.content, wireMessageOf(message, instance.id), room);
        await store.saveMessages([message]);
        this.changed(message);
      },
    );
  }

  async retry(messageId: string): Promise<void> {
    const message = await this.messageOf(messageId);
    if (message.delivery === "sent") return;
    if (message.delivery === "failed") {
      await this.deps.store.saveMessages([newMessageOf(message, "pending")]);
      await this.parts.failures.forget(messageId);
    }
    this.changed(message);
  }

  async discard(messageId: string): Promise<void> {
    const message = await this.messageOf(messageId);
    if (message.delivery === "sent") throw new ClientProblem("CONFLICT", { message: "The message went out" });
    const deletedAt = this.changeTime(this.roomOf(message.roomId));
    const removal: QueuedChange = { ...about(message), kind: "removal", deletedAt };
    // A pending message may have reached the server without our knowing. A refused one has not.
    if (message.delivery === "pending") return this.make(removal);
    await applyChange(this.deps.store, removal);
    await this.parts.failures.forget(messageId);
    this.changed(message);
  }

  async edit(messageId: string, content: string): Promise<void> {
    const message = await this.messageOf(messageId);
    const room = this.roomOf(message.roomId);
    if (message.senderId !== room.actorId) throw new ClientProblem("FORBIDDEN");
    if (message.content === content) return;
    const revision = { content, revision: message.revision + 1, editedAt: this.changeTime(room) };
    refuseUnsendable(content, revision, room);
    await this.make({ ...about(message), kind: "edit", revision });
  }

  async remove(messageId: string): Promise<void> {
    const message = await this.messageOf(messageId);
    const room = this.roomOf(message.roomId);
    if (message.senderId !== room.actorId && !moderates(room)) throw new ClientProblem("FORBIDDEN");
    await this.make({ ...about(message), kind: "removal", deletedAt: this.changeTime(room) });
  }

  async react(messageId: string, emoji: string, present: boolean): Promise<void> {
    const message = await this.messageOf(messageId);
    const room = this.roomOf(message.roomId);
    const word = { emoji, userId: room.actorId, present, at: this.changeTime(room) };
    await this.make({ ...about(message), kind: "reaction", ...word });
  }

  private newMessage(
    channel: ChannelRef,
    room: ChatRoom,
    draft: MessageDraft,
    timestamp: number,
  ): NewMessage {
    const { platform, instance, accounts } = this.deps;
    const { content, mentions = [], ...optional } = draft;
    return {
      ...BLANK_MESSAGE,
      ...optional,
      id: platform.newId(),
      roomId: channel.roomId,
      channelId: channel.channelId,
      senderId: room.actorId,
      senderDisplayName: displayNameAt(accounts.state.getState(), room.server.room.signalServerUrl),
      content,
      mentions: [...new Set(mentions)],
      timestamp,
      delivery: "pending",
      clientInstanceId: instance.id,
    };
  }

  /** Queues the change before applying it, so that nothing shown here is ever missing for others. */
  private async make(change: QueuedChange): Promise<void> {
    const { platform, store } = this.deps;
    await store.setMeta(`${QUEUE_PREFIX}${platform.newId()}`, JSON.stringify(change));
    await applyChange(store, change);
    this.deps.sendToDevices(syncPayload(change));
    this.changed({ id: change.messageId, roomId: change.roomId });
  }

  private changed({ id, roomId }: Pick<DeviceMessage, "id" | "roomId">): void {
    this.parts.events.broadcast({ kind: "messages", roomId, messageIds: [id] });
    this.parts.outbox.flush(roomId);
  }

  /** The later of two changes wins, so no two changes may have the same time. */
  private changeTime(room: ChatRoom): number {
    this.lastChangeAt = Math.max(room.now(), this.lastChangeAt + 1);
    return this.lastChangeAt;
  }

  private roomOf(roomId: string): ChatRoom {
    const room = chatRoom(this.deps, roomId);
    if (!room) throw notFound("The room");
    return room;
  }

  private async messageOf(messageId: string): Promise<DeviceMessage> {
    const message = await this.deps.store.message(messageId);
    if (!message || message.deletedAt !== null) throw notFound("The message");
    return message;
  }
}
