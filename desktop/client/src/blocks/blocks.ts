import { userRoutes } from "@hearth/contracts";
import { z } from "zod";
import { createStore } from "zustand/vanilla";
import type { BlockedUser, ClientStore } from "@hearth/store";
import type { Connections } from "../connection/connection.ts";
import type { Readable } from "../observable.ts";
import type { Platform } from "../ports.ts";
import { ClientProblem } from "@hearth/device";
import type { Rest } from "../rest/rest.ts";
import type { SyncPayloads } from "../wire.ts";

/** Blocked user ids by instance URL. */
export type BlocksState = ReadonlyMap<string, ReadonlySet<string>>;

/** AB12: the users that the account has blocked, per instance. */
export interface Blocks {
  readonly state: Readable<BlocksState>;
  isBlocked(signalServerUrl: string, userId: string): boolean;
  block(signalServerUrl: string, userId: string): Promise<void>;
  unblock(signalServerUrl: string, userId: string): Promise<void>;
}

/** All blocked users, for a search. */
export const blockedUsers = (state: BlocksState): readonly BlockedUser[] =>
  [...state].flatMap(([signalServerUrl, ids]) => [...ids].map((userId) => ({ signalServerUrl, userId })));

interface BlocksDeps {
  readonly platform: Pick<Platform, "tabs">;
  readonly rest: Pick<Rest, "call">;
  readonly store: Pick<ClientStore, "metaEntries" | "setMeta">;
  readonly connections: Pick<Connections, "onOnline">;
  /** Sends a payload to the account's other devices. */
  sendToDevices(payload: SyncPayloads): void;
}

const PREFIX = "blocks:";
const NOBODY: ReadonlySet<string> = new Set();
const idsSchema = z.array(z.string());

function idsOf(text: string): ReadonlySet<string> {
  try {
    return new Set(idsSchema.parse(JSON.parse(text)));
  } catch {
    return new Set();
  }
}

const tabMessageSchema = z.object({ topic: z.literal("blocks"), url: z.string(), userIds: idsSchema });

class StoredBlocks implements Blocks {
  readonly state = createStore<BlocksState>(() => new Map());
  readonly #deps: BlocksDeps;

  constructor(deps: BlocksDeps) {
    this.#deps = deps;
  }

  isBlocked(url: string, userId: string): boolean {
    return this.#of(url).has(userId);
  }

  async block(url: string, userId: string): Promise<void> {
    await this.#deps.rest.call(url, userRoutes.putBlock, { params: { userId } });
    await this.#change(url, new Set([...this.#of(url), userId]));
  }

  async unblock(url: string, userId: string): Promise<void> {
    await this.#deps.rest.call(url, userRoutes.deleteBlock, { params: { userId } });
    await this.#change(url, new Set([...this.#of(url)].filter((id) => id !== userId)));
  }

  /** Loads the instance's list; again if a block was made meanwhile. */
  async refresh(url: string): Promise<void> {
    const before = this.#of(url);
    try {
      const { items } = await this.#deps.rest.call(url, userRoutes.listBlocks, {});
      if (this.#of(url) !== before) await this.refresh(url);
      else await this.#keep(url, new Set(items.map(({ userId }) => userId)));
    } catch (error) {
      // Older instances have no blocks. An offline instance is asked again.
      if (!(error instanceof ClientProblem)) throw error;
    }
  }

  async start(): Promise<void> {
    const { connections, platform, store } = this.#deps;
    connections.onOnline((url) => void this.refresh(url));
    platform.tabs.onMessage((message) => {
      const { success, data } = tabMessageSchema.safeParse(message);
      if (success) this.#set(data.url, new Set(data.userIds));
    });
    const kept = await store.metaEntries(PREFIX);
    const known = kept.map(({ key, value }) => [key.slice(PREFIX.length), idsOf(value)] as const);
    this.state.setState(new Map([...known, ...this.state.getState()]), true);
  }

  #of(url: string): ReadonlySet<string> {
    return this.state.getState().get(url) ?? NOBODY;
  }

  #set(url: string, ids: ReadonlySet<string>): void {
    this.state.setState(new Map(this.state.getState()).set(url, ids), true);
  }

  async #keep(url: string, ids: ReadonlySet<string>): Promise<void> {
    this.#set(url, ids);
    // If storing fails, the list is loaded again later.
    await this.#deps.store.setMeta(`${PREFIX}${url}`, JSON.stringify([...ids])).catch(() => undefined);
  }

  /** Other tabs apply the change at once; other devices reload the list. */
  async #change(url: string, ids: ReadonlySet<string>): Promise<void> {
    this.#deps.platform.tabs.post({ topic: "blocks", url, userIds: [...ids] });
    this.#deps.sendToDevices({ type: "blocks-changed", signalServerUrl: url });
    await this.#keep(url, ids);
  }
}

/** The stored blocks apply at once; the instance's list replaces them when it is online. */
export const createBlocks = (
  deps: BlocksDeps,
): Blocks & { start(): Promise<void>; refresh(signalServerUrl: string): Promise<void> } =>
  new StoredBlocks(deps);
