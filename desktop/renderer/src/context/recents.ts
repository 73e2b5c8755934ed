import { createStore } from "zustand/vanilla";
import { z } from "zod";
import { channelKey } from "@hearth/client";
import type { Readable } from "@hearth/client";
import type { ChannelRef, ClientStore } from "@hearth/store";

const META_KEY = "recent-places";
const KEPT = 50;

const storedSchema = z.array(z.object({ roomId: z.string(), channelId: z.string().nullable() })).max(KEPT);

/** Where somebody was on this device, the latest first. */
export interface Recents {
  readonly state: Readable<readonly ChannelRef[]>;
  load(): Promise<void>;
  visit(channel: ChannelRef): void;
}

function readStored(text: string | undefined): readonly ChannelRef[] {
  if (text === undefined) return [];
  try {
    return storedSchema.parse(JSON.parse(text));
  } catch {
    return [];
  }
}

const without = (channels: readonly ChannelRef[], others: readonly ChannelRef[]) => {
  const keys = new Set(others.map(channelKey));
  return channels.filter((channel) => !keys.has(channelKey(channel)));
};

/** Kept with the device's data; where that is not possible, for as long as the page lives. */
export function createRecents(store: Pick<ClientStore, "meta" | "setMeta">): Recents {
  const state = createStore<readonly ChannelRef[]>(() => []);
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
    visit(channel) {
      const [last] = state.getState();
      if (last !== undefined && channelKey(last) === channelKey(channel)) return;
      const { roomId, channelId } = channel;
      state.setState((before) => [{ roomId, channelId }, ...without(before, [channel])].slice(0, KEPT), true);
      void save();
    },
  };
}
