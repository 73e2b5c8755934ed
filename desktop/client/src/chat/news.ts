import { wireId } from "@hearth/contracts";
import { z } from "zod";
import type { Platform } from "../ports.ts";

/** What was stored: messages of a room, how far its channels were read, or a draft. */
export type ChatNews =
  | { readonly kind: "messages"; readonly roomId: string; readonly messageIds: readonly string[] }
  | { readonly kind: "read"; readonly roomId: string }
  | { readonly kind: "draft"; readonly roomId: string; readonly channelId: string | null };

const newsSchema = z.discriminatedUnion("kind", [
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

export interface NewsDesk {
  /** For this tab: something that every tab hears of by itself. */
  tell(news: ChatNews): void;
  /** For all tabs: something that this one did. */
  announce(news: ChatNews): void;
  on(listener: (news: ChatNews, from: "here" | "another-tab") => void): () => void;
  start(): void;
  stop(): void;
}

/** Says in every tab of this browser that what is stored changed, so that all of them show the same. */
export function createNewsDesk({ tabs }: Pick<Platform, "tabs">): NewsDesk {
  const listeners = new Set<(news: ChatNews, from: "here" | "another-tab") => void>();
  let leave: (() => void) | null = null;
  const spread = (news: ChatNews, from: "here" | "another-tab"): void => {
    for (const listener of [...listeners]) listener(news, from);
  };
  return {
    tell: (news) => spread(news, "here"),
    announce(news) {
      spread(news, "here");
      tabs.post({ topic: "chat", ...news });
    },
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    start() {
      leave ??= tabs.onMessage((message) => {
        const parsed = newsSchema.safeParse(message);
        if (parsed.success) spread(parsed.data, "another-tab");
      });
    },
    stop() {
      leave?.();
      leave = null;
    },
  };
}
