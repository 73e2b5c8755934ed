import type { MessagePosition } from "@hearth/store";
import type { ChannelRef } from "@hearth/store";
import { channelKey } from "../chat.ts";
import type { ChatDeps } from "../chat-deps.ts";
import { laterPosition, positionOf } from "../message-position.ts";
import type { ChatEvents } from "../chat-events.ts";
import { READ_PREFIX, advanceReadRecord, parseReadRecord } from "./read-record.ts";
import { DebouncedWrites } from "../debounced-writes.ts";

type ReadDeps = Pick<ChatDeps, "platform" | "store" | "sendToDevices">;

interface Reading {
  readonly channel: ChannelRef;
  readonly position: MessagePosition;
}

const DELAY_MS = 800;

/** How far every channel was read. */
export class ReadPositions {
  private readonly deps: ReadDeps;
  private readonly events: ChatEvents;
  private readonly known = new Map<string, MessagePosition>();
  private readonly unsaved: DebouncedWrites<Reading>;

  constructor(deps: ReadDeps, events: ChatEvents) {
    this.deps = deps;
    this.events = events;
    this.unsaved = new DebouncedWrites(deps.platform, DELAY_MS, async (reading) => this.write(reading));
  }

  async load(): Promise<void> {
    return this.read(READ_PREFIX);
  }

  of(channel: ChannelRef): MessagePosition | null {
    return this.known.get(channelKey(channel)) ?? null;
  }

  /** Takes effect here at once. The record and the other devices follow after a moment. */
  advance(channel: ChannelRef, position: MessagePosition): void {
    const key = channelKey(channel);
    if (!this.grow(key, position)) return;
    this.unsaved.set(key, { channel, position });
    this.events.emit({ kind: "read", roomId: channel.roomId });
  }

  /** Another tab or device wrote read positions of this room. */
  async reload(roomId: string): Promise<void> {
    await this.read(`${READ_PREFIX}${roomId}/`);
    this.events.emit({ kind: "read", roomId });
  }

  async flush(): Promise<void> {
    return this.unsaved.flush();
  }

  /** Clears the memory when another account signs in. */
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

  private async write({ channel, position }: Reading): Promise<void> {
    const { store, platform } = this.deps;
    if (!(await advanceReadRecord({ store, tabs: platform.tabs }, channel, position))) return;
    const { roomId, channelId } = channel;
    const { id: messageId, timestamp } = position;
    this.deps.sendToDevices({ type: "read-position", roomId, channelId, messageId, timestamp });
    this.events.broadcast({ kind: "read", roomId });
  }
}
