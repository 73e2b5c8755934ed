import { z } from "zod";
import type { ChannelPlace } from "@hearth/store";
import { channelKey } from "./chat.ts";
import type { ChatDeps } from "./chat-deps.ts";
import type { ChatNews, NewsDesk } from "./news.ts";
import { SavedLater } from "./saved-later.ts";

const PREFIX = "draft:";
/** At once, since the page may be gone in the next moment; what is typed while one is written waits for the next. */
const DELAY_MS = 0;

const recordSchema = z.object({ text: z.string() });

const keyOf = (place: ChannelPlace): string => `${PREFIX}${channelKey(place)}`;

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
  readonly place: ChannelPlace;
  readonly text: string;
}

/** What was written and not sent, by channel, as meta records `draft:<roomId>/<channelId>`. */
export class Drafts {
  private readonly deps: Pick<ChatDeps, "platform" | "store">;
  private readonly news: NewsDesk;
  private readonly present = new Set<string>();
  private readonly unsaved: SavedLater<Draft>;

  constructor(deps: Pick<ChatDeps, "platform" | "store">, news: NewsDesk) {
    this.deps = deps;
    this.news = news;
    this.unsaved = new SavedLater(deps.platform, DELAY_MS, async (draft) => this.write(draft));
    news.on((item, from) => {
      if (item.kind === "draft" && from === "another-tab") void this.reread(item).catch(() => undefined);
    });
  }

  /** Reads which channels have one. */
  async load(): Promise<void> {
    for (const { key, value } of await this.deps.store.metaEntries(PREFIX))
      if (textIn(value) !== "") this.present.add(key.slice(PREFIX.length));
  }

  has(place: ChannelPlace): boolean {
    return this.present.has(channelKey(place));
  }

  async text(place: ChannelPlace): Promise<string> {
    return this.unsaved.get(channelKey(place))?.text ?? textIn(await this.deps.store.meta(keyOf(place)));
  }

  save(place: ChannelPlace, text: string): void {
    this.unsaved.set(channelKey(place), { place, text });
    if (this.mark(place, text)) this.news.tell({ kind: "draft", ...place });
  }

  async flush(): Promise<void> {
    return this.unsaved.flush();
  }

  /** Forgets, in memory, what another account left behind. */
  clear(): void {
    this.present.clear();
    this.unsaved.clear();
  }

  private async write({ place, text }: Draft): Promise<void> {
    const { store } = this.deps;
    if (text === "") await store.removeMeta(keyOf(place));
    else await store.setMeta(keyOf(place), JSON.stringify({ text }));
    this.news.announce({ kind: "draft", ...place });
  }

  private async reread(item: Extract<ChatNews, { kind: "draft" }>): Promise<void> {
    const place = { roomId: item.roomId, channelId: item.channelId };
    if (this.mark(place, await this.text(place))) this.news.tell(item);
  }

  /** True when the channel has a draft now and had none, or the other way round. */
  private mark(place: ChannelPlace, text: string): boolean {
    const key = channelKey(place);
    if (text === "") return this.present.delete(key);
    const isNew = !this.present.has(key);
    this.present.add(key);
    return isNew;
  }
}
