import type { StoreApi } from "zustand/vanilla";
import type { ChannelPlace } from "../../store/history.ts";
import type { PlacesState } from "../places/places.ts";
import { channelsOf } from "./channels.ts";
import { channelKey } from "./chat.ts";
import type { ChannelActivity, ChatState } from "./chat.ts";
import { chatRoom } from "./chat-deps.ts";
import type { ChatDeps } from "./chat-deps.ts";
import type { Drafts } from "./drafts.ts";
import type { NewsDesk } from "./news.ts";
import type { ReadPositions } from "./read-positions.ts";
import { createRounds } from "./rounds.ts";

/** Keeps what is unread in every channel of every room, counted by the store. */
export interface ActivityBoard {
  start(): void;
  /** Counts everything anew. */
  recount(): void;
  stop(): void;
}

/** Channels that are counted at the same time. */
const AT_ONCE = 8;

const places = (state: PlacesState): readonly ChannelPlace[] =>
  [...state.places.values()].flatMap(({ room }) => channelsOf(room));

const byKey = (channels: readonly ChannelPlace[]): ReadonlyMap<string, ChannelPlace> =>
  new Map(channels.map((place) => [channelKey(place), place]));

export function createActivityBoard(
  deps: ChatDeps,
  parts: { readonly news: NewsDesk; readonly reads: ReadPositions; readonly drafts: Drafts },
  state: StoreApi<ChatState>,
): ActivityBoard {
  const { store } = deps;
  const { news, reads, drafts } = parts;
  const rounds = createRounds<ChannelPlace>(deps.platform, count);
  let leave: (() => void)[] = [];
  let counted: ReadonlySet<string> = new Set();

  async function activityOf(place: ChannelPlace): Promise<ChannelActivity | null> {
    const room = chatRoom(deps, place.roomId);
    if (!room) return null;
    const [unread, newest] = await Promise.all([
      store.unread(place, { after: reads.of(place), userId: room.actorId }),
      store.messagesBefore(place, { limit: 1, before: null }),
    ]);
    const lastMessageAt = newest.messages.at(-1)?.timestamp ?? null;
    return { ...unread, lastMessageAt, hasDraft: drafts.has(place) };
  }

  async function count(dirty: readonly ChannelPlace[]): Promise<void> {
    const channels = [...byKey(dirty)];
    for (let from = 0; from < channels.length; from += AT_ONCE) {
      const some = channels.slice(from, from + AT_ONCE);
      const counts = await Promise.all(some.map(([, place]) => activityOf(place)));
      const activity = new Map(state.getState().activity);
      some.forEach(([key], index) => {
        const counted = counts[index] ?? null;
        if (counted) activity.set(key, counted);
        else activity.delete(key);
      });
      state.setState({ activity });
    }
  }

  const channelsIn = (roomId: string): readonly ChannelPlace[] =>
    places(deps.places.state.getState()).filter((place) => place.roomId === roomId);

  function markDraft(place: ChannelPlace): void {
    const key = channelKey(place);
    const known = state.getState().activity.get(key);
    if (!known) return rounds.add([place]);
    const activity = new Map(state.getState().activity);
    state.setState({ activity: activity.set(key, { ...known, hasDraft: drafts.has(place) }) });
  }

  function follow(now: PlacesState): void {
    const channels = byKey(places(now));
    rounds.add([...channels].filter(([key]) => !counted.has(key)).map(([, place]) => place));
    const gone = [...counted].filter((key) => !channels.has(key));
    counted = new Set(channels.keys());
    if (gone.length === 0) return;
    const activity = new Map(state.getState().activity);
    for (const key of gone) activity.delete(key);
    state.setState({ activity });
  }

  const recount = (): void => {
    counted = new Set();
    state.setState({ activity: new Map() });
    follow(deps.places.state.getState());
  };

  return {
    start() {
      leave = [
        deps.places.state.subscribe(follow),
        news.on((item) => {
          if (item.kind === "draft") markDraft({ roomId: item.roomId, channelId: item.channelId });
          else rounds.add(channelsIn(item.roomId));
        }),
      ];
      recount();
    },
    recount,
    stop() {
      for (const end of leave) end();
      leave = [];
      rounds.stop();
    },
  };
}
