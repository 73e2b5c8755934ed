import type { StoreApi } from "zustand/vanilla";
import type { ChannelPlace } from "@hearth/store";
import type { PlacesState } from "../places/places.ts";
import { channelsOf } from "./channels.ts";
import { channelKey } from "./chat.ts";
import type { ChannelActivity, ChatState } from "./chat.ts";
import { blockedIn, chatRoom } from "./chat-deps.ts";
import type { ChatDeps } from "./chat-deps.ts";
import type { Drafts } from "./drafts.ts";
import type { ChatNews, NewsDesk } from "./news.ts";
import type { ReadPositions } from "./reading/read-positions.ts";
import { Rounds } from "./rounds.ts";

export interface BoardParts {
  readonly news: NewsDesk;
  readonly reads: ReadPositions;
  readonly drafts: Drafts;
  readonly state: StoreApi<ChatState>;
}

/** Channels that are counted at the same time. */
const AT_ONCE = 8;

const channelsIn = (state: PlacesState): readonly ChannelPlace[] =>
  [...state.places.values()].flatMap(({ room }) => channelsOf(room));

const byKey = (channels: readonly ChannelPlace[]): ReadonlyMap<string, ChannelPlace> =>
  new Map(channels.map((place) => [channelKey(place), place]));

/** Keeps what is unread in every channel of every room, counted by the store. */
export class ActivityBoard {
  private readonly deps: ChatDeps;
  private readonly parts: BoardParts;
  private readonly rounds: Rounds<ChannelPlace>;
  private leaves: (() => void)[] = [];
  private followed: ReadonlySet<string> = new Set();

  constructor(deps: ChatDeps, parts: BoardParts) {
    this.deps = deps;
    this.parts = parts;
    this.rounds = new Rounds(deps.platform, async (dirty) => this.count(dirty));
  }

  start(): void {
    const { blocks, places } = this.deps;
    this.leaves = [
      places.state.subscribe((now) => this.follow(now)),
      this.parts.news.on((item) => this.hear(item)),
      blocks.state.subscribe(() => this.rounds.add(channelsIn(places.state.getState()))),
    ];
    this.recount();
  }

  /** Counts everything anew. */
  recount(): void {
    this.followed = new Set();
    this.parts.state.setState({ activity: new Map() });
    this.follow(this.deps.places.state.getState());
  }

  stop(): void {
    for (const leave of this.leaves) leave();
    this.leaves = [];
    this.rounds.stop();
  }

  private hear(item: ChatNews): void {
    if (item.kind === "draft") return this.markDraft({ roomId: item.roomId, channelId: item.channelId });
    const all = channelsIn(this.deps.places.state.getState());
    this.rounds.add(all.filter(({ roomId }) => roomId === item.roomId));
  }

  private follow(now: PlacesState): void {
    const channels = byKey(channelsIn(now));
    this.rounds.add([...channels].filter(([key]) => !this.followed.has(key)).map(([, place]) => place));
    const gone = [...this.followed].filter((key) => !channels.has(key));
    this.followed = new Set(channels.keys());
    this.set(gone.map((key) => [key, null]));
  }

  private markDraft(place: ChannelPlace): void {
    const key = channelKey(place);
    const known = this.parts.state.getState().activity.get(key);
    if (known) this.set([[key, { ...known, hasDraft: this.parts.drafts.has(place) }]]);
    else this.rounds.add([place]);
  }

  private async count(dirty: readonly ChannelPlace[]): Promise<void> {
    const channels = [...byKey(dirty)];
    for (let from = 0; from < channels.length; from += AT_ONCE) {
      const some = channels.slice(from, from + AT_ONCE);
      this.set(
        await Promise.all(some.map(async ([key, place]) => [key, await this.activityOf(place)] as const)),
      );
    }
  }

  private async activityOf(place: ChannelPlace): Promise<ChannelActivity | null> {
    const { store } = this.deps;
    const { reads, drafts } = this.parts;
    const room = chatRoom(this.deps, place.roomId);
    if (!room) return null;
    const [unread, newest] = await Promise.all([
      store.unread(place, {
        ...{ after: reads.of(place), userId: room.actorId },
        without: blockedIn(this.deps, place.roomId),
      }),
      store.messagesBefore(place, { limit: 1, before: null }),
    ]);
    const lastMessageAt = newest.messages.at(-1)?.timestamp ?? null;
    return { ...unread, lastMessageAt, hasDraft: drafts.has(place) };
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
