import type { MessagePosition } from "@hearth/store";
import type { ChannelPlace } from "@hearth/store";
import { channelKey } from "../chat.ts";
import type { ChatDeps } from "../chat-deps.ts";
import { laterPosition, positionOf } from "../message-position.ts";
import type { NewsDesk } from "../news.ts";
import { READ_PREFIX, advanceReadRecord, parseReadRecord } from "./read-record.ts";
import { SavedLater } from "../saved-later.ts";

type ReadDeps = Pick<ChatDeps, "platform" | "store" | "tell">;

interface Reading {
  readonly place: ChannelPlace;
  readonly position: MessagePosition;
}

const DELAY_MS = 800;

/** How far every channel was read. */
export class ReadPositions {
  private readonly deps: ReadDeps;
  private readonly news: NewsDesk;
  private readonly known = new Map<string, MessagePosition>();
  private readonly unsaved: SavedLater<Reading>;

  constructor(deps: ReadDeps, news: NewsDesk) {
    this.deps = deps;
    this.news = news;
    this.unsaved = new SavedLater(deps.platform, DELAY_MS, async (reading) => this.write(reading));
  }

  async load(): Promise<void> {
    return this.read(READ_PREFIX);
  }

  of(place: ChannelPlace): MessagePosition | null {
    return this.known.get(channelKey(place)) ?? null;
  }

  /** At once here; written down and told to the other devices in a moment. */
  advance(place: ChannelPlace, position: MessagePosition): void {
    const key = channelKey(place);
    if (!this.grow(key, position)) return;
    this.unsaved.set(key, { place, position });
    this.news.tell({ kind: "read", roomId: place.roomId });
  }

  /** Another tab or device wrote positions of this room. */
  async reload(roomId: string): Promise<void> {
    await this.read(`${READ_PREFIX}${roomId}/`);
    this.news.tell({ kind: "read", roomId });
  }

  async flush(): Promise<void> {
    return this.unsaved.flush();
  }

  /** Forgets, in memory, what another account left behind. */
  clear(): void {
    this.known.clear();
    this.unsaved.clear();
  }

  private async read(prefix: string): Promise<void> {
    for (const { key, value } of await this.deps.store.metaEntries(prefix))
      this.grow(key.slice(READ_PREFIX.length), parseReadRecord(value));
  }

  private grow(key: string, position: MessagePosition | null): boolean {
    const before = this.known.get(key) ?? null;
    const after = laterPosition(before, position);
    if (after === null || after === before) return false;
    this.known.set(key, positionOf(after));
    return true;
  }

  private async write({ place, position }: Reading): Promise<void> {
    const { store, platform } = this.deps;
    if (!(await advanceReadRecord({ store, tabs: platform.tabs }, place, position))) return;
    const { roomId, channelId } = place;
    const { id: messageId, timestamp } = position;
    this.deps.tell({ type: "read-position", roomId, channelId, messageId, timestamp });
    this.news.announce({ kind: "read", roomId });
  }
}
