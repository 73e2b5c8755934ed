import type { MessagePosition } from "../../store/device-store.ts";
import type { ChannelPlace } from "../../store/history.ts";
import { channelKey } from "./chat.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { laterPosition, positionOf } from "./message-position.ts";
import type { NewsDesk } from "./news.ts";
import { READ_PREFIX, advanceReadRecord, parseReadRecord } from "./read-record.ts";
import { createSerial } from "./serial.ts";

/** How far every channel was read. */
export interface ReadPositions {
  load(): Promise<void>;
  of(place: ChannelPlace): MessagePosition | null;
  /** At once here; written down and told to the other devices in a moment. */
  advance(place: ChannelPlace, position: MessagePosition): void;
  /** Another tab or device wrote positions of this room. */
  reload(roomId: string): Promise<void>;
  flush(): Promise<void>;
  clear(): void;
}

const DEBOUNCE_MS = 800;
const RETRY_MS = 5_000;

export function createReadPositions(
  { platform, store, tell }: Pick<ChatDeps, "platform" | "store" | "tell">,
  news: NewsDesk,
): ReadPositions {
  const { tabs } = platform;
  const known = new Map<string, MessagePosition>();
  const unsaved = new Map<string, { readonly place: ChannelPlace; readonly position: MessagePosition }>();
  const serial = createSerial();
  let callOff: (() => void) | null = null;

  const schedule = (delayMs: number): void => {
    callOff ??= platform.later(delayMs, () => {
      callOff = null;
      void flush();
    });
  };

  async function write(place: ChannelPlace, position: MessagePosition): Promise<void> {
    if (!(await advanceReadRecord({ store, tabs }, place, position))) return;
    const { timestamp, id: messageId } = position;
    tell({ type: "read-position", ...place, messageId, timestamp });
    news.announce({ kind: "read", roomId: place.roomId });
  }

  const flush = async (): Promise<void> =>
    serial(async () => {
      for (const [key, { place, position }] of [...unsaved]) {
        try {
          await write(place, position);
          if (unsaved.get(key)?.position === position) unsaved.delete(key);
        } catch {
          schedule(RETRY_MS);
        }
      }
    });

  function grow(key: string, position: MessagePosition | null): boolean {
    const before = known.get(key) ?? null;
    const after = laterPosition(before, position);
    if (after === null || after === before) return false;
    known.set(key, positionOf(after));
    return true;
  }

  async function read(prefix: string): Promise<void> {
    for (const { key, value } of await store.metaEntries(prefix))
      grow(key.slice(READ_PREFIX.length), parseReadRecord(value));
  }

  return {
    load: async () => read(READ_PREFIX),
    of: (place) => known.get(channelKey(place)) ?? null,
    advance(place, position) {
      if (!grow(channelKey(place), position)) return;
      unsaved.set(channelKey(place), { place, position });
      news.tell({ kind: "read", roomId: place.roomId });
      schedule(DEBOUNCE_MS);
    },
    reload: async (roomId) => read(`${READ_PREFIX}${roomId}/`),
    flush,
    clear() {
      callOff?.();
      callOff = null;
      known.clear();
      unsaved.clear();
    },
  };
}
