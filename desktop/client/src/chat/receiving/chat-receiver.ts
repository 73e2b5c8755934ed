import { chatEventSchema } from "@hearth/contracts";
import type { DeviceMessage, NewMessage } from "@hearth/device";
import type { Incoming } from "../../connection/connection.ts";
import type { NewMention } from "../chat.ts";
import { chatRoom } from "../chat-deps.ts";
import type { ChatDeps } from "../chat-deps.ts";
import { newMessageOf } from "../message-records.ts";
import { Moderators } from "../moderators.ts";
import type { ChatEvents } from "../chat-events.ts";
import { BatchQueue } from "../batch-queue.ts";
import { saveBatch } from "../save-batch.ts";
import { receivedFrom } from "./received.ts";
import type { Received } from "./received.ts";
import { ReceivedChanges } from "./received-changes.ts";
import type { TypingTracker } from "../typing.ts";

export interface ChatReceiverParts {
  readonly events: ChatEvents;
  readonly typing: TypingTracker;
}

/** An item of a batch: a message from the socket, or ids of messages that another part of the client stored. */
type QueueItem = Received | { readonly kind: "stored"; readonly messageIds: readonly string[] };

const TYPES: ReadonlySet<string> = new Set(chatEventSchema.options.map(({ shape }) => shape.type.value));

const isSame = (known: DeviceMessage, message: NewMessage): boolean =>
  known.senderId === message.senderId && known.roomId === message.roomId;

/** Writes messages from the sockets into the store, in batches, and reports what is new. */
export class ChatReceiver {
  private readonly deps: ChatDeps;
  private readonly parts: ChatReceiverParts;
  private readonly moderators: Moderators;
  private readonly changes: ReceivedChanges;
  private readonly queue: BatchQueue<QueueItem>;
  private readonly listeners = new Set<(arrival: NewMention) => void>();
  /** Messages that are being written. A retried batch must still report them. */
  private readonly unreported = new Set<string>();

  constructor(deps: ChatDeps, parts: ChatReceiverParts) {
    this.deps = deps;
    this.parts = parts;
    this.moderators = new Moderators(deps);
    const retry = (messageIds: readonly string[]): void => this.stored(messageIds);
    this.changes = new ReceivedChanges(deps, { moderators: this.moderators, retry });
    this.queue = new BatchQueue(deps.platform, async (items) => this.handle(items));
  }

  /** Receives a message of an instance. Ignores messages about servers of another instance. */
  receive(url: string, incoming: Incoming): void {
    this.moderators.update(url, incoming);
    if (!TYPES.has(incoming.type)) return;
    const { success, data: event } = chatEventSchema.safeParse(incoming);
    if (!success || chatRoom(this.deps, event.serverId)?.server.room.signalServerUrl !== url) return;
    const { typing } = this.parts;
    if (event.type === "user_typing") {
      if (!this.deps.blocks.isBlocked(url, event.fromUserId)) typing.received(event);
      return;
    }
    if (event.type === "chat_message") typing.messageReceived(event);
    this.queue.add([receivedFrom(event)]);
  }

  /** Messages that another part of the client stored: deferred changes of them can be decided now. */
  stored(messageIds: readonly string[]): void {
    this.queue.add([{ kind: "stored", messageIds }]);
  }

  onArrival(listener: (arrival: NewMention) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  stop(): void {
    this.queue.stop();
  }

  private async handle(items: readonly QueueItem[]): Promise<void> {
    const messages = items.filter((item) => item.kind === "message").map(({ message }) => message);
    await this.saveMessages(messages);
    const stored = items.flatMap((item) => (item.kind === "stored" ? item.messageIds : []));
    const received = items.filter((item) => item.kind === "change").map(({ change }) => change);
    const changed = await this.changes.apply(received, [...messages.map(({ id }) => id), ...stored]);
    this.reportChanges(changed.map(({ roomId, messageId }) => ({ roomId, id: messageId })));
  }

  private async saveMessages(messages: readonly NewMessage[]): Promise<void> {
    const fresh = await this.newAmong(messages);
    for (const { id } of fresh) this.unreported.add(id);
    await saveBatch(fresh, async (some) => this.deps.store.saveMessages(some));
    this.reportChanges(fresh);
    for (const message of fresh) {
      this.unreported.delete(message.id);
      await this.reportArrival(message);
    }
  }

  /** The first of two messages with one id wins. A waiting message of ours that comes back was sent. */
  private async newAmong(messages: readonly NewMessage[]): Promise<readonly NewMessage[]> {
    const first = new Map(messages.toReversed().map((message) => [message.id, message]));
    const checked = await Promise.all(
      messages
        .filter((message) => first.get(message.id) === message)
        .map(async (message) => {
          const known = await this.deps.store.message(message.id);
          if (!known || this.unreported.has(message.id)) return message;
          return known.delivery !== "sent" && isSame(known, message) ? newMessageOf(known, "sent") : null;
        }),
    );
    return checked.filter((message) => message !== null);
  }

  private async reportArrival({ id, roomId, channelId, senderId }: NewMessage): Promise<void> {
    const room = chatRoom(this.deps, roomId);
    if (this.listeners.size === 0 || !room || room.actorId === senderId) return;
    if (this.deps.blocks.isBlocked(room.server.room.signalServerUrl, senderId)) return;
    const message = await this.deps.store.message(id);
    if (!message || message.deletedAt !== null) return;
    const isMention = message.mentions.includes(room.actorId);
    for (const listener of [...this.listeners])
      listener({ channel: { roomId, channelId }, message, isMention });
  }

  private reportChanges(changed: readonly { readonly roomId: string; readonly id: string }[]): void {
    for (const [roomId, items] of Map.groupBy(changed, (item) => item.roomId))
      this.parts.events.emit({
        kind: "messages",
        roomId,
        messageIds: [...new Set(items.map(({ id }) => id))],
      });
  }
}
