import { z } from "zod";
import type { ChannelRef } from "@hearth/store";
import { channelKey } from "./chat.ts";
import type { ChatDeps } from "./chat-deps.ts";
import type { ChangeEvent, ChatEvents } from "./chat-events.ts";
import { DebouncedWrites } from "./debounced-writes.ts";

const PREFIX = "draft:";
/** No delay, because the page may be closed at any moment. Text typed during a write is written next. */
const DELAY_MS = 0;

const recordSchema = z.object({ text: z.string() });

const keyOf = (channel: ChannelRef): string => `${PREFIX}${channelKey(channel)}`;

function textIn(value: string | undefined): string {
  if (value === undefined) return "";
  try {
    const parsed = recordSchema.safeParse(JSON.parse(value));
    return parsed.success ? parsed.data.text : "";
  } catch {
    return "";
  }
}

interface Draft {
  readonly channel: ChannelRef;
  readonly text: string;
}

/** Unsent text by channel, as meta records `draft:<roomId>/<channelId>`. */
export class Drafts {
  private readonly deps: Pick<ChatDeps, "platform" | "store">;
  private readonly events: ChatEvents;
  private readonly present = new Set<string>();
  private readonly unsaved: DebouncedWrites<Draft>;

  constructor(deps: Pick<ChatDeps, "platform" | "store">, events: ChatEvents) {
    this.deps = deps;
    this.events = events;
    this.unsaved = new DebouncedWrites(deps.platform, DELAY_MS, async (draft) => this.write(draft));
    events.on((item, from) => {
      if (item.kind === "draft" && from === "another-tab") void this.reread(item).catch(() => undefined);
    });
  }

  /** Loads the keys of all channels that have a draft. */
  async load(): Promise<void> {
    for (const { key, value } of await this.deps.store.metaEntries(PREFIX))
      if (textIn(value) !== "") this.present.add(key.slice(PREFIX.length));
  }

  has(channel: ChannelRef): boolean {
    return this.present.has(channelKey(channel));
  }

  async text(channel: ChannelRef): Promise<string> {
    return this.unsaved.get(channelKey(channel))?.text ?? textIn(await this.deps.store.meta(keyOf(channel)));
  }

  save(channel: ChannelRef, text: string): void {
    this.unsaved.set(channelKey(channel), { channel, text });
    if (this.mark(channel, text)) this.events.emit({ kind: "draft", ...channel });
  }

  async flush(): Promise<void> {
    return this.unsaved.flush();
  }

  /** Clears the memory when another account signs in. */
  clear(): void {
    this.present.clear();
    this.unsaved.clear();
  }

  private async write({ channel, text }: Draft): Promise<void> {
    const { store } = this.deps;
    if (text === "") await store.removeMeta(keyOf(channel));
    else await store.setMeta(keyOf(channel), JSON.stringify({ text }));
    this.events.broadcast({ kind: "draft", ...channel });
  }

  private async reread(item: Extract<ChangeEvent, { kind: "draft" }>): Promise<void> {
    const place = { roomId: item.roomId, channelId: item.channelId };
    if (this.mark(place, await this.text(place))) this.events.emit(item);
  }

  /** True if this changed whether the channel has a draft. */
  private mark(channel: ChannelRef, text: string): boolean {
    const key = channelKey(channel);
    if (text === "") return this.present.delete(key);
    const isNew = !this.present.has(key);
    this.present.add(key);
    return isNew;
  }
}
