import { wireId } from "@hearth/contracts";
import { z } from "zod";
import type { Platform } from "../ports.ts";

/** What was stored: messages of a room, how far its channels were read, or a draft. */
export type ChatEvent =
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
  /** For this tab: something that every tab hears of by itself. */
  emit(event: ChatEvent): void;
  /** For all tabs: something that this one did. */
  broadcast(event: ChatEvent): void;
  on(listener: (event: ChatEvent, from: "here" | "another-tab") => void): () => void;
  start(): void;
  stop(): void;
}

/** Says in every tab of this browser that what is stored changed, so that all of them show the same. */
export function createChatEvents({ tabs }: Pick<Platform, "tabs">): ChatEvents {
  const listeners = new Set<(event: ChatEvent, from: "here" | "another-tab") => void>();
  let leave: (() => void) | null = null;
  const notify = (event: ChatEvent, from: "here" | "another-tab"): void => {
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
