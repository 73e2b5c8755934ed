import { z } from "zod";
import type { ChannelPlace } from "../../store/history.ts";
import { channelKey } from "./chat.ts";
import type { ChatDeps } from "./chat-deps.ts";
import type { NewsDesk } from "./news.ts";
import { createSerial } from "./serial.ts";

/** What was written and not sent, by channel, as meta records `draft:<roomId>/<channelId>`. */
export interface Drafts {
  /** Reads which channels have one. */
  load(): Promise<void>;
  has(place: ChannelPlace): boolean;
  text(place: ChannelPlace): Promise<string>;
  save(place: ChannelPlace, text: string): void;
  /** Writes what waits. */
  flush(): Promise<void>;
  /** Forgets what another account left behind in memory. */
  clear(): void;
}

const PREFIX = "draft:";
const DEBOUNCE_MS = 300;
const RETRY_MS = 5_000;

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

export function createDrafts(
  { platform, store }: Pick<ChatDeps, "platform" | "store">,
  news: NewsDesk,
): Drafts {
  const present = new Set<string>();
  const unsaved = new Map<string, { readonly place: ChannelPlace; readonly text: string }>();
  const serial = createSerial();
  let callOff: (() => void) | null = null;

  const schedule = (delayMs: number): void => {
    callOff?.();
    callOff = platform.later(delayMs, () => {
      callOff = null;
      void flush();
    });
  };

  async function write(place: ChannelPlace, text: string): Promise<void> {
    const key = keyOf(place);
    if (text === "") await store.removeMeta(key);
    else await store.setMeta(key, JSON.stringify({ text }));
    news.announce({ kind: "draft", ...place });
  }

  const flush = async (): Promise<void> =>
    serial(async () => {
      for (const [key, draft] of [...unsaved]) {
        try {
          await write(draft.place, draft.text);
          if (unsaved.get(key) === draft) unsaved.delete(key);
        } catch {
          schedule(RETRY_MS);
        }
      }
    });

  /** True when the channel has a draft now and had none, or the other way round. */
  function mark(place: ChannelPlace, text: string): boolean {
    const key = channelKey(place);
    if (text === "") return present.delete(key);
    const isNew = !present.has(key);
    present.add(key);
    return isNew;
  }

  news.on((item, from) => {
    if (item.kind !== "draft" || from === "here") return;
    const place = { roomId: item.roomId, channelId: item.channelId };
    const reread = async (): Promise<void> => {
      const text = textIn(await store.meta(keyOf(place)));
      if (mark(place, text)) news.tell(item);
    };
    void serial(reread).catch(() => undefined);
  });

  return {
    async load() {
      for (const { key, value } of await store.metaEntries(PREFIX))
        if (textIn(value) !== "") present.add(key.slice(PREFIX.length));
    },
    has: (place) => present.has(channelKey(place)),
    text: async (place) => unsaved.get(channelKey(place))?.text ?? textIn(await store.meta(keyOf(place))),
    save(place, text) {
      unsaved.set(channelKey(place), { place, text });
      if (mark(place, text)) news.tell({ kind: "draft", ...place });
      schedule(DEBOUNCE_MS);
    },
    flush,
    clear() {
      callOff?.();
      present.clear();
      unsaved.clear();
    },
  };
}
