import { createStore } from "zustand/vanilla";
import { z } from "zod";
import { channelKey } from "@hearth/client";
import type { Readable } from "@hearth/client";
import type { ChannelPlace, ClientStore } from "@hearth/store";

const META_KEY = "recent-places";
const KEPT = 50;

const storedSchema = z.array(z.object({ roomId: z.string(), channelId: z.string().nullable() })).max(KEPT);

/** Where somebody was on this device, the latest first. */
export interface Recents {
  readonly state: Readable<readonly ChannelPlace[]>;
  load(): Promise<void>;
  visit(place: ChannelPlace): void;
}

function readStored(text: string | undefined): readonly ChannelPlace[] {
  if (text === undefined) return [];
  try {
    return storedSchema.parse(JSON.parse(text));
  } catch {
    return [];
  }
}

const without = (places: readonly ChannelPlace[], others: readonly ChannelPlace[]) => {
  const keys = new Set(others.map(channelKey));
  return places.filter((place) => !keys.has(channelKey(place)));
};

/** Kept with the device's data; where that is not possible, for as long as the page lives. */
export function createRecents(store: Pick<ClientStore, "meta" | "setMeta">): Recents {
  const state = createStore<readonly ChannelPlace[]>(() => []);
  let isLoaded = false;
  const save = async (): Promise<void> => {
    if (!isLoaded) return;
    try {
      await store.setMeta(META_KEY, JSON.stringify(state.getState()));
    } catch {
      // An order of suggestions is not worth a notice.
    }
  };
  return {
    state,
    async load() {
      const stored = readStored(await store.meta(META_KEY).catch(() => undefined));
      const visited = state.getState();
      state.setState([...visited, ...without(stored, visited)].slice(0, KEPT), true);
      isLoaded = true;
      if (visited.length > 0) void save();
    },
    visit(place) {
      const [last] = state.getState();
      if (last !== undefined && channelKey(last) === channelKey(place)) return;
      const { roomId, channelId } = place;
      state.setState((before) => [{ roomId, channelId }, ...without(before, [place])].slice(0, KEPT), true);
      void save();
    },
  };
}
