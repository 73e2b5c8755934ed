import { userRoutes } from "@hearth/contracts";
import { z } from "zod";
import { createStore } from "zustand/vanilla";
import type { ClientStore } from "../../store/history.ts";
import type { Connections } from "../connection/connection.ts";
import type { Readable } from "../observable.ts";
import { ClientProblem } from "../problem.ts";
import type { Rest } from "../rest/rest.ts";

/** User ids by the URL of the instance where they were blocked. */
export type BlocksState = ReadonlyMap<string, ReadonlySet<string>>;

/** AB12: whom the account has blocked, on each instance for itself. */
export interface Blocks {
  readonly state: Readable<BlocksState>;
  isBlocked(signalServerUrl: string, userId: string): boolean;
  block(signalServerUrl: string, userId: string): Promise<void>;
  unblock(signalServerUrl: string, userId: string): Promise<void>;
}

interface BlocksDeps {
  readonly rest: Pick<Rest, "call">;
  readonly store: Pick<ClientStore, "metaEntries" | "setMeta">;
  readonly connections: Pick<Connections, "onOnline">;
}

const PREFIX = "blocks:";
const idsSchema = z.array(z.string());

function idsOf(text: string): ReadonlySet<string> {
  try {
    return new Set(idsSchema.parse(JSON.parse(text)));
  } catch {
    return new Set();
  }
}

/** What is kept of them on this device is known at once; the instance's own list replaces it when it is online. */
export function createBlocks({ rest, store, connections }: BlocksDeps): Blocks & { start(): Promise<void> } {
  const state = createStore<BlocksState>(() => new Map());
  const of = (url: string): ReadonlySet<string> => state.getState().get(url) ?? new Set();
  const keep = async (url: string, ids: ReadonlySet<string>): Promise<void> => {
    state.setState(new Map(state.getState()).set(url, ids), true);
    // Where it cannot be stored it is asked for again.
    await store.setMeta(`${PREFIX}${url}`, JSON.stringify([...ids])).catch(() => undefined);
  };
  const refresh = async (url: string): Promise<void> => {
    try {
      const { items } = await rest.call(url, userRoutes.listBlocks, {});
      await keep(url, new Set(items.map(({ userId }) => userId)));
    } catch (error) {
      // An older instance has no blocks, and one that is away is asked again.
      if (!(error instanceof ClientProblem)) throw error;
    }
  };
  return {
    state,
    isBlocked: (url, userId) => of(url).has(userId),
    async block(url, userId) {
      await rest.call(url, userRoutes.putBlock, { params: { userId } });
      await keep(url, new Set([...of(url), userId]));
    },
    async unblock(url, userId) {
      await rest.call(url, userRoutes.deleteBlock, { params: { userId } });
      await keep(url, new Set([...of(url)].filter((id) => id !== userId)));
    },
    async start() {
      connections.onOnline((url) => void refresh(url));
      const kept = await store.metaEntries(PREFIX);
      const known = kept.map(({ key, value }) => [key.slice(PREFIX.length), idsOf(value)] as const);
      state.setState(new Map([...known, ...state.getState()]), true);
    },
  };
}
