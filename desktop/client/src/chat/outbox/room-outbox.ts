import type { DeviceMessage } from "@hearth/device";
import type { Connection, OutgoingMessage } from "../../connection/connection.ts";
import { ClientProblem } from "@hearth/device";
import { chatRoom, isReachable } from "../chat-deps.ts";
import type { ChatDeps, ChatRoom } from "../chat-deps.ts";
import { isFinal } from "../failures.ts";
import type { Failures } from "../failures.ts";
import type { PossiblySent } from "./possibly-sent.ts";
import { postponeLate } from "./late-messages.ts";
import { addressOf, newMessageOf, syncedMessageOf, wireMessageOf } from "../message-records.ts";
import type { MessageTimes } from "../message-times.ts";
import type { ChatEvents } from "../chat-events.ts";
import { QUEUE_PREFIX, applyChange, outgoingChange, parseQueuedChange } from "./queued-change.ts";
import type { QueuedChange } from "./queued-change.ts";

export interface OutboxParts {
  readonly failures: Failures;
  readonly possiblySent: PossiblySent;
  readonly times: MessageTimes;
  readonly events: ChatEvents;
}

/** Thrown if the rest of the outbox has to wait. */
export class OutboxBlocked extends Error {
  readonly retryAfterMs: number | null;

  constructor(retryAfterMs: number | null, cause?: unknown) {
    super("The outbox waits", { cause });
    this.name = "OutboxBlocked";
    this.retryAfterMs = retryAfterMs;
  }
}

/** Sends what waits for one room, in order. The caller makes sure that only one runs at a time. */
export class RoomOutbox {
  private readonly deps: ChatDeps;
  private readonly parts: OutboxParts;
  private readonly roomId: string;
  private readonly signal: AbortSignal;

  constructor(
    deps: ChatDeps,
    parts: OutboxParts,
    { roomId, signal }: { readonly roomId: string; readonly signal: AbortSignal },
  ) {
    this.deps = deps;
    this.parts = parts;
    this.roomId = roomId;
    this.signal = signal;
  }

  /** Runs until nothing waits. Throws if the rest has to wait. */
  async drain(): Promise<void> {
    for (let waiting = await this.waiting(); waiting.length > 0; waiting = await this.waiting())
      for (const id of waiting) await this.sendMessage(id);
    await this.parts.possiblySent.tidy();
    await this.sendChanges();
  }

  private async waiting(): Promise<readonly string[]> {
    this.room();
    const undelivered = await this.deps.store.undelivered();
    return undelivered
      .filter(
        ({ roomId, delivery, deletedAt }) =>
          roomId === this.roomId && delivery === "pending" && deletedAt === null,
      )
      .map(({ id }) => id);
  }

  private room(): ChatRoom & { readonly connection: Connection } {
    const room = chatRoom(this.deps, this.roomId);
    if (this.signal.aborted || !room?.connection || !isReachable(room)) throw new OutboxBlocked(null);
    return { ...room, connection: room.connection };
  }

  /** The refusal of the server, or `null` if it relayed the message. Throws if the failure may pass. */
  private async request(message: OutgoingMessage): Promise<ClientProblem | null> {
    try {
      await this.room().connection.request(message);
      return null;
    } catch (problem) {
      if (problem instanceof OutboxBlocked) throw problem;
      if (problem instanceof ClientProblem && isFinal(problem)) return problem;
      throw new OutboxBlocked(problem instanceof ClientProblem ? problem.retryAfterMs : null, problem);
    }
  }

  private async sendMessage(messageId: string): Promise<void> {
    const { instance } = this.deps;
    const { possiblySent } = this.parts;
    const mayBeOut = (await possiblySent.all()).has(messageId);
    if (!mayBeOut) await this.prepare(messageId);
    const pending = await this.pending(messageId);
    const message = pending && (await this.original(pending));
    if (!message) return;
    const wire = { ...addressOf(message), message: wireMessageOf(message, instance.id) };
    try {
      const refusal = await this.request({ type: "chat_message", ...wire });
      await this.settle(message, refusal);
      // AB10: new receivers date it now, so what waits behind it must not be dated before it.
      if (mayBeOut) await postponeLate({ store: this.deps.store, ...this.parts }, this.room(), message);
      // A refused message that was handed over before may have been sent the first time.
      if (!refusal || !mayBeOut) await possiblySent.forget(messageId);
    } catch (waits) {
      if (waits instanceof OutboxBlocked && waits.cause instanceof ClientProblem)
        this.wait(messageId, waits.cause);
      throw waits;
    }
  }

  private async pending(messageId: string): Promise<DeviceMessage | undefined> {
    const message = await this.deps.store.message(messageId);
    return message?.delivery === "pending" && message.deletedAt === null ? message : undefined;
  }

  /** Runs before the first hand-over. From then on the message keeps its timestamp. */
  private async prepare(messageId: string): Promise<void> {
    const message = await this.pending(messageId);
    if (!message) return;
    await postponeLate({ store: this.deps.store, ...this.parts }, this.room(), message);
    await this.parts.possiblySent.keep(messageId);
  }

  /** With the original text, because edits follow by themselves. `undefined` if it was removed meanwhile. */
  private async original(message: DeviceMessage): Promise<DeviceMessage | undefined> {
    if (message.revision === 0) return message;
    const [first] = (await this.deps.store.messageEdits(message.id)) ?? [];
    return first && { ...message, content: first.content };
  }

  private wait(messageId: string, problem: ClientProblem): void {
    this.parts.failures.wait(messageId, problem);
    this.parts.events.emit({ kind: "messages", roomId: this.roomId, messageIds: [messageId] });
  }

  private async settle(message: DeviceMessage, refusal: ClientProblem | null): Promise<void> {
    const { store, instance } = this.deps;
    const { failures, events } = this.parts;
    const { id } = message;
    if (refusal) await failures.keep(id, refusal);
    else {
      failures.wait(id, null);
      this.deps.sendToDevices({ type: "chat-message", message: syncedMessageOf(message, instance.id) });
    }
    await store.saveMessages([newMessageOf(message, refusal ? "failed" : "sent")]);
    events.broadcast({ kind: "messages", roomId: this.roomId, messageIds: [id] });
  }

  /** Drops a change that is refused for good: nobody else will ever see it. */
  private async sendChanges(): Promise<void> {
    const { store } = this.deps;
    for (const { key, value } of await store.metaEntries(QUEUE_PREFIX)) {
      const change = parseQueuedChange(value);
      if (change && change.roomId !== this.roomId) continue;
      if (change) await applyChange(store, change);
      const decision = change ? await this.fate(change) : "drop";
      if (decision === "wait") continue;
      if (change && decision === "send") await this.request(outgoingChange(change));
      await store.removeMeta(key);
    }
  }

  /** A change waits until its message is sent. For a discarded message only the removal is sent. */
  private async fate({ messageId, kind }: QueuedChange): Promise<"send" | "wait" | "drop"> {
    const message = await this.deps.store.message(messageId);
    if (!message || message.delivery === "sent") return "send";
    if (message.deletedAt === null) return "wait";
    return kind === "removal" ? "send" : "drop";
  }
}
