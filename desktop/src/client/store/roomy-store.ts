import { z } from "zod";
import { storeOf } from "../../bridge/store-methods.ts";
import type { MessagePosition, NewMessage } from "../../store/device-store.ts";
import type { ClientStore } from "../../store/history.ts";
import { comparePositions } from "../chat/message-position.ts";
import { ClientProblem } from "../problem.ts";

/** Of a room, however full the device is. */
const MIN_KEPT = 200;
const MIN_AT_ONCE = 100;
const MAX_AT_ONCE = 1_000;
const MAX_ROUNDS = 8;
const PREFIX = "dropped:";

const positionSchema = z.object({ timestamp: z.number(), id: z.string() });

function positionOf(text: string | undefined): MessagePosition | null {
  try {
    return positionSchema.parse(JSON.parse(text ?? ""));
  } catch {
    return null;
  }
}

/** The newest message that was removed from this device to make room; `null` where the room is whole. */
export const droppedUpTo = async (
  store: Pick<ClientStore, "meta">,
  roomId: string,
): Promise<MessagePosition | null> => positionOf(await store.meta(`${PREFIX}${roomId}`));

const isFull = (error: unknown): boolean => error instanceof ClientProblem && error.code === "STORAGE_FULL";

/** Which room takes the most space, and how many of its oldest messages go at once. */
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

class Roomy {
  readonly #store: ClientStore;
  readonly #floors = new Map<string, Promise<MessagePosition | null>>();
  #dropping: Promise<boolean> | null = null;

  constructor(store: ClientStore) {
    this.#store = store;
  }

  /** What was removed to make room does not come back with the next snapshot of a sibling. */
  async wanted(messages: readonly NewMessage[]): Promise<readonly NewMessage[]> {
    const wanted = await Promise.all(
      messages.map(async (message) => {
        const floor = await this.#floorOf(message.roomId);
        return floor === null || message.delivery !== "sent" || comparePositions(message, floor) > 0;
      }),
    );
    return messages.filter((_, index) => wanted[index]);
  }

  /** True when there may be room now. Calls that meet a full storage at the same time share one removal. */
  drop(): Promise<boolean> {
    this.#dropping ??= this.#dropOldest().finally(() => (this.#dropping = null));
    return this.#dropping;
  }

  async #dropOldest(): Promise<boolean> {
    const largest = await largestRoom(this.#store);
    if (largest === null) return false;
    const { roomId, count } = largest;
    const page = await this.#store.messages(roomId, { limit: count, from: { offset: 0 } });
    const last = page?.messages.at(-1);
    if (last === undefined) return false;
    const upTo = { timestamp: last.timestamp, id: last.id };
    await this.#store.dropMessages(roomId, upTo);
    this.#floors.set(roomId, Promise.resolve(upTo));
    await this.#store.setMeta(`${PREFIX}${roomId}`, JSON.stringify(upTo));
    return true;
  }

  #floorOf(roomId: string): Promise<MessagePosition | null> {
    const floor = this.#floors.get(roomId) ?? droppedUpTo(this.#store, roomId);
    this.#floors.set(roomId, floor);
    floor.catch(() => this.#floors.delete(roomId));
    return floor;
  }
}

/**
 * The same store, which makes room where there is none: the oldest messages of the largest room go first, and the
 * newest of a room never. What still does not fit rejects with `STORAGE_FULL`.
 */
export function makeRoomIn(store: ClientStore): ClientStore {
  const roomy = new Roomy(store);
  return storeOf((method, kind) => {
    const call = (args: readonly unknown[]): Promise<unknown> =>
      (store[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args);
    if (kind === "read") return (...args) => call(args);
    return async (...args) => {
      const given = method === "saveMessages" ? [await roomy.wanted(args[0] as readonly NewMessage[])] : args;
      for (let round = 0; ; round += 1)
        try {
          return await call(given);
        } catch (error) {
          if (!isFull(error) || round === MAX_ROUNDS || !(await roomy.drop())) throw error;
        }
    };
  });
}
