import { wireId } from "@hearth/contracts";
import { z } from "zod";
import type { Platform } from "../ports.ts";

/** What changed in the store: messages of a room, a read position, or a draft. */
export type ChangeEvent =
  | { readonly kind: "messages"; readonly roomId: string; readonly messageIds: readonly string[] }
  | { readonly kind: "read"; readonly roomId: string }
  | { readonly kind: "draft"; readonly roomId: string; readonly channelId: string | null };

const eventSchema = z.discriminatedUnion("kind", [
  z.object({
    topic: z.literal("chat"),
    kind: z.literal("messages"),
    roomId: wireId,
    messageIds: z.array(wireId),
  }),
  z.object({ topic: z.literal("chat"), kind: z.literal("read"), roomId: wireId }),
  z.object({
    topic: z.literal("chat"),
    kind: z.literal("draft"),
    roomId: wireId,
    channelId: wireId.nullable(),
  }),
]);

export interface ChatEvents {
  /** Notifies this tab only; for changes that every tab learns about by itself. */
  emit(event: ChangeEvent): void;
  /** Notifies all tabs of a change that this tab made. */
  broadcast(event: ChangeEvent): void;
  on(listener: (event: ChangeEvent, from: "here" | "another-tab") => void): () => void;
  start(): void;
  stop(): void;
}

/** Tells every tab of this browser about changes in the store, so that all tabs show the same. */
export function createChatEvents({ tabs }: Pick<Platform, "tabs">): ChatEvents {
  const listeners = new Set<(event: ChangeEvent, from: "here" | "another-tab") => void>();
  let leave: (() => void) | null = null;
  const notify = (event: ChangeEvent, from: "here" | "another-tab"): void => {
    for (const listener of [...listeners]) listener(event, from);
  };
  return {
    emit: (event) => notify(event, "here"),
    broadcast(event) {
      notify(event, "here");
      tabs.post({ topic: "chat", ...event });
    },
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    start() {
      leave ??= tabs.onMessage((message) => {
        const parsed = eventSchema.safeParse(message);
        if (parsed.success) notify(parsed.data, "another-tab");
      });
    },
    stop() {
      leave?.();
      leave = null;
    },
  };
}
