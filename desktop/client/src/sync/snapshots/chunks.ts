import type { SyncPayload } from "@hearth/contracts";
import { chunkSchema } from "../payloads/payload-schemas.ts";

/** At most 768 KiB as JSON, so that a chunk and its envelope fit a frame (rule WS12). */
const CHUNK_UNITS = 256 * 1024;
const MAX_FRAME_BYTES = 1_000_000;

const MAX_TRANSFERS = 8;
const MAX_UNITS = 24 * 1024 * 1024;
const FORGET_MS = 60_000;

const CHUNKED: Readonly<Record<string, "user-avatar-chunk" | "custom-emoji-chunk">> = {
  "user-avatar-full": "user-avatar-chunk",
  "custom-emoji-full": "custom-emoji-chunk",
};

const encoder = new TextEncoder();

/** The size of a value as JSON. */
export const jsonBytes = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;

/** Splits a payload that is too large for a frame into chunks of its JSON. */
export function inFrames(payload: SyncPayload, newId: () => string): readonly SyncPayload[] {
  const type = CHUNKED[payload.type];
  if (type === undefined || jsonBytes(payload) <= MAX_FRAME_BYTES) return [payload];
  const text = JSON.stringify(payload);
  const transferId = newId();
  const total = Math.ceil(text.length / CHUNK_UNITS);
  return Array.from({ length: total }, (_, index) => {
    const data = text.slice(index * CHUNK_UNITS, (index + 1) * CHUNK_UNITS);
    return { type, transferId, index, total, data };
  });
}

interface Transfer {
  readonly type: string;
  readonly total: number;
  readonly parts: Map<number, string>;
  units: number;
  touchedAt: number;
}

/** Reassembles chunks in any order, with repetitions. Incomplete transfers are dropped. */
export interface Reassembly {
  /** The payload that this chunk completes. */
  add(from: string, chunk: unknown): SyncPayload | null;
  readonly unfinished: number;
}

function joined({ type, total, parts }: Transfer): SyncPayload | null {
  const text = Array.from({ length: total }, (_, index) => parts.get(index) ?? "").join("");
  try {
    const payload = JSON.parse(text) as unknown;
    if (typeof payload !== "object" || payload === null || !("type" in payload)) return null;
    return typeof payload.type === "string" && CHUNKED[payload.type] === type
      ? (payload as SyncPayload)
      : null;
  } catch {
    return null;
  }
}

export function createReassembly(now: () => number): Reassembly {
  const transfers = new Map<string, Transfer>();

  const makeRoom = (units: number, added: number): void => {
    for (const [key, { touchedAt }] of transfers) if (touchedAt + FORGET_MS < now()) transfers.delete(key);
    const oldestFirst = [...transfers].toSorted(([, a], [, b]) => a.touchedAt - b.touchedAt);
    let total = oldestFirst.reduce((sum, [, transfer]) => sum + transfer.units, units);
    for (const [key, transfer] of oldestFirst) {
      if (transfers.size + added <= MAX_TRANSFERS && total <= MAX_UNITS) return;
      transfers.delete(key);
      total -= transfer.units;
    }
  };
  const transferOf = (key: string, type: string, total: number): Transfer => {
    const known = transfers.get(key);
    if (known) return known;
    const transfer: Transfer = { type, total, parts: new Map(), units: 0, touchedAt: now() };
    transfers.set(key, transfer);
    return transfer;
  };
  return {
    add(from, chunk) {
      const parsed = chunkSchema.safeParse(chunk);
      if (!parsed.success) return null;
      const { type, transferId, index, total, data } = parsed.data;
      const key = `${from}/${transferId}`;
      if (index >= total) return null;
      makeRoom(data.length, transfers.has(key) ? 0 : 1);
      const transfer = transferOf(key, type, total);
      if (transfer.total !== total || transfer.type !== type) return null;
      transfer.touchedAt = now();
      if (transfer.parts.has(index)) return null;
      transfer.parts.set(index, data);
      transfer.units += data.length;
      if (transfer.parts.size < total) return null;
      transfers.delete(key);
      return joined(transfer);
    },
    get unfinished() {
      return transfers.size;
    },
  };
}
