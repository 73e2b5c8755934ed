import type { StoreApi } from "zustand/vanilla";
import type { ChannelRef } from "@hearth/store";
import type { ServersState } from "../servers/servers.ts";
import { channelsOf } from "./channels.ts";
import { channelKey } from "./chat.ts";
import type { ChannelActivity, ChatState } from "./chat.ts";
import { blockedIn, chatRoom } from "./chat-deps.ts";
import type { ChatDeps } from "./chat-deps.ts";
import type { Drafts } from "./drafts.ts";
import type { ChangeEvent, ChatEvents } from "./chat-events.ts";
import type { ReadPositions } from "./reading/read-positions.ts";
import { BatchQueue } from "./batch-queue.ts";

export interface ActivityTrackerParts {
  readonly events: ChatEvents;
  readonly reads: ReadPositions;
  readonly drafts: Drafts;
  readonly state: StoreApi<ChatState>;
}

/** How many channels are counted at the same time. */
const AT_ONCE = 8;

const channelsIn = (state: ServersState): readonly ChannelRef[] =>
  [...state.servers.values()].flatMap(({ room }) => channelsOf(room));

const byKey = (channels: readonly ChannelRef[]): ReadonlyMap<string, ChannelRef> =>
  new Map(channels.map((channel) => [channelKey(channel), channel]));

/** Keeps the unread counts of every text channel current. The store does the counting. */
export class ActivityTracker {
  private readonly deps: ChatDeps;
  private readonly parts: ActivityTrackerParts;
  private readonly queue: BatchQueue<ChannelRef>;
  private unsubscribers: (() => void)[] = [];
  private followed: ReadonlySet<string> = new Set();

  constructor(deps: ChatDeps, parts: ActivityTrackerParts) {
    this.deps = deps;
    this.parts = parts;
    this.queue = new BatchQueue(deps.platform, async (dirty) => this.count(dirty));
  }

  start(): void {
    const { blocks, servers } = this.deps;
    this.unsubscribers = [
      servers.state.subscribe((now) => this.follow(now)),
      this.parts.events.on((item) => this.onChange(item)),
      blocks.state.subscribe(() => this.queue.add(channelsIn(servers.state.getState()))),
    ];
    this.recount();
  }

  /** Recounts every channel. */
  recount(): void {
    this.followed = new Set();
    this.parts.state.setState({ activity: new Map() });
    this.follow(this.deps.servers.state.getState());
  }

  stop(): void {
    for (const unsubscribe of this.unsubscribers) unsubscribe();
    this.unsubscribers = [];
    this.queue.stop();
  }

  private onChange(item: ChangeEvent): void {
    if (item.kind === "draft") return this.markDraft({ roomId: item.roomId, channelId: item.channelId });
    const all = channelsIn(this.deps.servers.state.getState());
    this.queue.add(all.filter(({ roomId }) => roomId === item.roomId));
  }

  private follow(now: ServersState): void {
    const channels = byKey(channelsIn(now));
    this.queue.add([...channels].filter(([key]) => !this.followed.has(key)).map(([, channel]) => channel));
    const gone = [...this.followed].filter((key) => !channels.has(key));
    this.followed = new Set(channels.keys());
    this.set(gone.map((key) => [key, null]));
  }

  private markDraft(channel: ChannelRef): void {
    const key = channelKey(channel);
    const known = this.parts.state.getState().activity.get(key);
    if (known) this.set([[key, { ...known, hasDraft: this.parts.drafts.has(channel) }]]);
    else this.queue.add([channel]);
  }

  private async count(dirty: readonly ChannelRef[]): Promise<void> {
    const channels = [...byKey(dirty)];
    for (let from = 0; from < channels.length; from += AT_ONCE) {
      const some = channels.slice(from, from + AT_ONCE);
      this.set(
        await Promise.all(some.map(async ([key, channel]) => [key, await this.activityOf(channel)] as const)),
      );
    }
  }

  private async activityOf(channel: ChannelRef): Promise<ChannelActivity | null> {
    const { store } = this.deps;
    const { reads, drafts } = this.parts;
    const room = chatRoom(this.deps, channel.roomId);
    if (!room) return null;
    const [unread, newest] = await Promise.all([
      store.unread(channel, {
        ...{ after: reads.of(channel), userId: room.actorId },
        without: blockedIn(this.deps, channel.roomId),
      }),
      store.messagesBefore(channel, { limit: 1, before: null }),
    ]);
    const lastMessageAt = newest.messages.at(-1)?.timestamp ?? null;
    return { ...unread, lastMessageAt, hasDraft: drafts.has(channel) };
  }

  private set(entries: readonly (readonly [string, ChannelActivity | null])[]): void {
    if (entries.length === 0) return;
    const activity = new Map(this.parts.state.getState().activity);
    for (const [key, counted] of entries)
      if (counted && this.followed.has(key)) activity.set(key, counted);
      else activity.delete(key);
    this.parts.state.setState({ activity });
  }
}
