import type { NewMessage } from "@hearth/device";
import { z } from "zod";
import { storeOf } from "@hearth/bridge";
import type { MessagePosition } from "@hearth/store";
import type { ClientStore } from "@hearth/store";
import { comparePositions } from "../chat/message-position.ts";
import { ClientProblem } from "@hearth/device";
import { sizeOfMessage } from "@hearth/store/indexeddb";

/** How many messages every room keeps, however full the device is. */
const MIN_KEPT = 200;
const MIN_AT_ONCE = 100;
const MAX_AT_ONCE = 1_000;
const MAX_ROUNDS = 8;
/** Trims below the limit, so that not every new message removes another one. */
const TRIM_TO = 0.9;
/** Without a limit, how many bytes may arrive before the limit is checked again. */
const UNLIMITED_STEP = 10_000_000;
const PREFIX = "dropped:";

const positionSchema = z.object({ timestamp: z.number(), id: z.string() });

function positionOf(text: string | undefined): MessagePosition | null {
  try {
    return positionSchema.parse(JSON.parse(text ?? ""));
  } catch {
    return null;
  }
}

/** The newest message that was removed to free space; `null` if nothing was removed from the room. */
export const droppedUpTo = async (
  store: Pick<ClientStore, "meta">,
  roomId: string,
): Promise<MessagePosition | null> => positionOf(await store.meta(`${PREFIX}${roomId}`));

const isFull = (error: unknown): boolean => error instanceof ClientProblem && error.code === "STORAGE_FULL";

/** The room with the most messages, and how many of its oldest are removed at once. */
async function largestRoom(store: ClientStore): Promise<{ roomId: string; count: number } | null> {
  let largest = { roomId: "", total: MIN_KEPT };
  for (const { id } of await store.rooms()) {
    const total = (await store.messages(id, { limit: 1, from: { offset: 0 } }))?.total ?? 0;
    if (total > largest.total) largest = { roomId: id, total };
  }
  const { roomId, total } = largest;
  if (total === MIN_KEPT) return null;
  const share = Math.min(MAX_AT_ONCE, Math.max(MIN_AT_ONCE, Math.floor(total / 10)));
  return { roomId, count: Math.min(share, total - MIN_KEPT) };
}

/** Why old messages were removed: the storage was full, or the size limit was exceeded. */
export type DropReason = "full" | "cap";

export interface StoreLimits {
  /** How many bytes the messages of this device may take; `null` for no limit. */
  readonly maxBytes: () => number | null;
  readonly onDropped: (reason: DropReason) => void;
}

const UNLIMITED: StoreLimits = { maxBytes: () => null, onDropped: () => undefined };

class PruningStore {
  readonly #store: ClientStore;
  readonly #rules: StoreLimits;
  readonly #floors = new Map<string, Promise<MessagePosition | null>>();
  #dropping: Promise<number> | null = null;
  #trimming: Promise<void> | null = null;
  /** Bytes that may arrive until the next measurement. */
  #left = 0;
  /** How far the limit may be exceeded before writers wait. */
  #step = UNLIMITED_STEP;

  constructor(store: ClientStore, rules: StoreLimits) {
    this.#store = store;
    this.#rules = rules;
  }

  /** Removed messages do not return with the next snapshot of another device. */
  async wanted(messages: readonly NewMessage[]): Promise<readonly NewMessage[]> {
    const wanted = await Promise.all(
      messages.map(async (message) => {
        const floor = await this.#floorOf(message.roomId);
        return floor === null || message.delivery !== "sent" || comparePositions(message, floor) > 0;
      }),
    );
    return messages.filter((_, index) => wanted[index]);
  }

  /** True if space was freed. */
  async makeRoom(): Promise<boolean> {
    const dropped = (await this.#drop()) > 0;
    if (dropped) this.#rules.onDropped("full");
    return dropped;
  }

  /** Measures only when the limit may be exceeded. Writers wait if they are faster than the trimming. */
  async arrived(messages: readonly NewMessage[]): Promise<void> {
    for (const message of messages) this.#left -= sizeOfMessage(message);
    if (this.#left >= 0) return;
    // A failed trim is repeated with the next messages.
    const trimmed = this.#trimOnce().catch(() => undefined);
    if (this.#left < -this.#step) await trimmed;
  }

  /** Measures now. */
  async trim(): Promise<void> {
    await this.#trimming?.catch(() => undefined);
    await this.#trimOnce();
  }

  #trimOnce(): Promise<void> {
    this.#trimming ??= this.#trim().finally(() => (this.#trimming = null));
    return this.#trimming;
  }

  async #trim(): Promise<void> {
    const max = this.#rules.maxBytes();
    this.#left = UNLIMITED_STEP;
    if (max === null) return;
    this.#step = max * (1 - TRIM_TO);
    let hasDropped = false;
    let { bytes } = await this.#store.usage();
    for (let round = 0; bytes > max && round < MAX_ROUNDS; round += 1) {
      for (let excess = bytes - max * TRIM_TO; excess > 0; ) {
        const freed = await this.#drop();
        if (freed === 0) break;
        hasDropped = true;
        excess -= freed;
      }
      ({ bytes } = await this.#store.usage());
    }
    // If nothing more can be removed, not every message measures again.
    this.#left = Math.max(max - bytes, this.#step);
    if (hasDropped) this.#rules.onDropped("cap");
  }

  /**
   * Removes the oldest messages of the largest room; returns roughly how many bytes. Concurrent calls share one run.
   */
  #drop(): Promise<number> {
    this.#dropping ??= this.#dropOldest().finally(() => (this.#dropping = null));
    return this.#dropping;
  }

  async #dropOldest(): Promise<number> {
    const largest = await largestRoom(this.#store);
    if (largest === null) return 0;
    const { roomId, count } = largest;
    const page = await this.#store.messages(roomId, { limit: count, from: { offset: 0 } });
    const last = page?.messages.at(-1);
    if (page === undefined || last === undefined) return 0;
    const upTo = { timestamp: last.timestamp, id: last.id };
    await this.#store.dropMessages(roomId, upTo);
    this.#floors.set(roomId, Promise.resolve(upTo));
    // A browser may take a while to see the freed space; until then the position is kept in memory.
    await this.#store.setMeta(`${PREFIX}${roomId}`, JSON.stringify(upTo)).catch(() => undefined);
    return page.messages.reduce(
      (sum, message) => sum + (message.delivery === "sent" ? sizeOfMessage(message) : 0),
      0,
    );
  }

  #floorOf(roomId: string): Promise<MessagePosition | null> {
    const floor = this.#floors.get(roomId) ?? droppedUpTo(this.#store, roomId);
    this.#floors.set(roomId, floor);
    floor.catch(() => this.#floors.delete(roomId));
    return floor;
  }
}

export interface BoundedStore {
  readonly store: ClientStore;
  /** Applies the current limit. */
  trim(): Promise<void>;
}

/**
 * A store that removes the oldest messages of the largest room when the storage is full or the limit is exceeded. It
 * keeps the newest messages of every room, the outbox and all other records. Rejects with `STORAGE_FULL` if that is
 * not enough. The same rule holds for every kind of storage.
 */
export function createBoundedStore(store: ClientStore, rules = UNLIMITED): BoundedStore {
  const bounded = new PruningStore(store, rules);
  const boundedStore = storeOf((method, kind) => {
    const call = (args: readonly unknown[]): Promise<unknown> =>
      (store[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args);
    if (kind === "read") return (...args) => call(args);
    return async (...args) => {
      const messages =
        method === "saveMessages" ? await bounded.wanted(args[0] as readonly NewMessage[]) : null;
      for (let round = 0; ; round += 1)
        try {
          const result = await call(messages === null ? args : [messages]);
          if (messages !== null) await bounded.arrived(messages);
          return result;
        } catch (error) {
          if (!isFull(error) || round === MAX_ROUNDS || !(await bounded.makeRoom())) throw error;
        }
    };
  });
  return { store: boundedStore, trim: () => bounded.trim() };
}
