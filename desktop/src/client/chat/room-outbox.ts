import type { DeviceMessage } from "../../device/records.ts";
import type { OutgoingMessage } from "../connection/connection.ts";
import { ClientProblem } from "../problem.ts";
import { chatRoom, isReachable } from "./chat-deps.ts";
import type { ChatDeps, ChatRoom } from "./chat-deps.ts";
import { isFinal } from "./failures.ts";
import type { Failures } from "./failures.ts";
import { addressOf, newMessageOf, syncedMessageOf, wireMessageOf } from "./message-records.ts";
import type { NewsDesk } from "./news.ts";
import { QUEUE_PREFIX, applyChange, outgoingChange, parseQueuedChange } from "./queued-change.ts";
import type { QueuedChange } from "./queued-change.ts";

export interface OutboxParts {
  readonly failures: Failures;
  readonly news: NewsDesk;
}

/** Thrown where the rest has to wait. */
export class OutboxWaits extends Error {
  readonly retryAfterMs: number | null;

  constructor(retryAfterMs: number | null, cause?: unknown) {
    super("The outbox waits", { cause });
    this.name = "OutboxWaits";
    this.retryAfterMs = retryAfterMs;
  }
}

/** Sends what waits for one room, one after the other. The caller sees to it that nobody else does at the same time. */
export function roomOutbox(
  deps: ChatDeps,
  { failures, news }: OutboxParts,
  roomId: string,
  signal: AbortSignal,
) {
  const { store, instance } = deps;

  function reachable(): ChatRoom {
    const room = chatRoom(deps, roomId);
    if (signal.aborted || !room || !isReachable(room)) throw new OutboxWaits(null);
    return room;
  }

  /** The server's word on it: `null` when it was handed on. Trouble that may pass ends the turn. */
  async function request(message: OutgoingMessage): Promise<ClientProblem | null> {
    const { connection } = reachable();
    if (!connection) throw new OutboxWaits(null);
    try {
      await connection.request(message);
      return null;
    } catch (problem) {
      if (problem instanceof ClientProblem && isFinal(problem)) return problem;
      throw new OutboxWaits(problem instanceof ClientProblem ? problem.retryAfterMs : null, problem);
    }
  }

  async function settle(message: DeviceMessage, refusal: ClientProblem | null): Promise<void> {
    const { id } = message;
    if (refusal) await failures.keep(id, refusal);
    else {
      failures.wait(id, null);
      deps.tell({ type: "chat-message", message: syncedMessageOf(message, instance.id) });
    }
    await store.saveMessages([newMessageOf(message, refusal ? "failed" : "sent")]);
    news.announce({ kind: "messages", roomId, messageIds: [id] });
  }

  /** The text it was written with: edits follow by themselves. */
  async function original(message: DeviceMessage): Promise<DeviceMessage> {
    if (message.revision === 0) return message;
    const [first] = (await store.messageEdits(message.id)) ?? [];
    return { ...message, content: first?.content ?? message.content };
  }

  async function sendMessage(messageId: string): Promise<void> {
    const stored = await store.message(messageId);
    if (!stored || stored.delivery !== "pending" || stored.deletedAt !== null) return;
    const message = await original(stored);
    const wire = { ...addressOf(message), message: wireMessageOf(message, instance.id) };
    try {
      await settle(message, await request({ type: "chat_message", ...wire }));
    } catch (waits) {
      if (waits instanceof OutboxWaits && waits.cause instanceof ClientProblem) {
        failures.wait(messageId, waits.cause);
        news.tell({ kind: "messages", roomId, messageIds: [messageId] });
      }
      throw waits;
    }
  }

  async function sendMessages(): Promise<void> {
    for (;;) {
      const waiting = (await store.undelivered()).filter(
        (message) =>
          message.roomId === roomId && message.delivery === "pending" && message.deletedAt === null,
      );
      if (waiting.length === 0) return;
      for (const { id } of waiting) {
        reachable();
        await sendMessage(id);
      }
    }
  }

  /** A change of a message that has not gone out waits for it; of one that was taken back only the removal matters. */
  async function fate({ messageId, kind }: QueuedChange): Promise<"send" | "wait" | "drop"> {
    const message = await store.message(messageId);
    if (!message || message.delivery === "sent") return "send";
    if (message.deletedAt === null) return "wait";
    return kind === "removal" ? "send" : "drop";
  }

  /** A change that is refused for good is given up: nobody else will ever see it. */
  async function sendChanges(): Promise<void> {
    for (const { key, value } of await store.metaEntries(QUEUE_PREFIX)) {
      const change = parseQueuedChange(value);
      if (change && change.roomId !== roomId) continue;
      if (change) await applyChange(store, change);
      const decision = change ? await fate(change) : "drop";
      if (decision === "wait") continue;
      if (change && decision === "send") await request(outgoingChange(change));
      await store.removeMeta(key);
    }
  }

  return async (): Promise<void> => {
    reachable();
    await sendMessages();
    await sendChanges();
  };
}
