import type { ClientStore } from "../../store/history.ts";
import type { Platform } from "../ports.ts";
import { ClientProblem } from "../problem.ts";
import type { SnapshotMark, SyncBegin, SyncPayloads } from "../wire.ts";
import type { SyncProgress } from "./account-sync.ts";
import { inFrames } from "./chunks.ts";
import type { HeardSnapshots } from "./heard-snapshots.ts";
import type { CheckedRequest } from "./payload-schemas.ts";
import { attachmentsByMessage, roomBatches } from "./room-batches.ts";
import { stateItems } from "./state-items.ts";
import { messageDigest } from "./synced-messages.ts";
import type { LoreMessage } from "./synced-messages.ts";
import type { Send } from "./tell-queue.ts";

/** Payloads under way to a device that says how far it is; below what the server keeps for a slow reader (WS13). */
const WINDOW = 8;
const RECEIPT_MS = 30_000;
/** Writes that were under way when the snapshot began may carry a time before it. */
const MARGIN_MS = 60_000;

export interface SnapshotTarget {
  readonly clientInstanceId: string;
  readonly device: string;
  /** `null` for a device that asked for nothing: it gets everything and says nothing of how far it is. */
  readonly request: CheckedRequest | null;
}

export interface SnapshotDependencies {
  readonly platform: Platform;
  readonly store: ClientStore;
  readonly storeId: string;
  readonly heard: HeardSnapshots;
  readonly send: Send;
  readonly onProgress: (progress: SyncProgress) => void;
}

/** A snapshot on its way out; `finished` rejects when it could not be brought to its end. */
export interface SnapshotRun {
  readonly id: string;
  readonly target: SnapshotTarget;
  readonly finished: Promise<void>;
  readonly received: (seq: number) => void;
  readonly cancel: () => void;
}

/** Lets so many payloads ahead of what the receiver said it stored, and gives up on one that says nothing. */
function createWindow(platform: Platform, isUsed: boolean, signal: AbortSignal) {
  let stored = -1;
  let wake: () => void = () => undefined;
  signal.addEventListener("abort", () => wake());
  const receipt = async (): Promise<void> => {
    const before = stored;
    let cancelTimer: () => void = () => undefined;
    await new Promise<void>((resolve) => {
      wake = resolve;
      cancelTimer = platform.later(RECEIPT_MS, resolve);
    });
    cancelTimer();
    signal.throwIfAborted();
    if (stored === before) throw new ClientProblem("NO_ANSWER");
  };
  return {
    received: (seq: number): void => {
      stored = Math.max(stored, seq);
      wake();
    },
    upTo: async (seq: number): Promise<void> => {
      signal.throwIfAborted();
      while (isUsed && seq - stored > WINDOW) await receipt();
    },
  };
}

/** Messages of every room that is sent: how many there are where all go, and one where only the latest do. */
async function roomWeights(store: ClientStore, since: number): Promise<ReadonlyMap<string, number>> {
  const weights = (await store.rooms()).map(async ({ id }) => {
    const page = since === 0 ? await store.messages(id, { limit: 1, from: { offset: 0 } }) : undefined;
    return [id, Math.max(1, page?.total ?? 1)] as const;
  });
  return new Map(await Promise.all(weights));
}

type Say = (
  payload: SyncPayloads,
  progress: { readonly done: number; readonly total: number },
) => Promise<void>;

const isHeardOf = ({ heard }: SnapshotDependencies, request: CheckedRequest | null) =>
  heard.among(request?.heard ?? []);

async function sayRooms(
  dependencies: SnapshotDependencies,
  { request }: SnapshotTarget,
  {
    since,
    say,
    note,
    before,
  }: {
    readonly since: number;
    readonly say: Say;
    readonly note: (message: LoreMessage) => void;
    readonly before: number;
  },
): Promise<number> {
  const { store } = dependencies;
  const weights = await roomWeights(store, since);
  const total = before + [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const attachments = attachmentsByMessage(await store.attachments());
  const isHeard = isHeardOf(dependencies, request);
  let done = before;
  for (const [roomId, weight] of weights) {
    let said = 0;
    for await (const batch of roomBatches({ store, roomId, since, attachments, isHeard })) {
      said = Math.min(weight, said + batch.messages.length);
      for (const message of batch.messages) note(message);
      await say(batch, { done: done + said, total });
    }
    done += weight;
  }
  return total;
}

async function sayAll(
  dependencies: SnapshotDependencies,
  target: SnapshotTarget,
  say: Say,
  note: (message: LoreMessage) => void,
): Promise<void> {
  const { platform, store, storeId } = dependencies;
  const { request } = target;
  const since = request?.known[storeId] ?? 0;
  const beganAt = platform.now();
  const have = new Set(request?.have);
  const items = (await stateItems(store)).filter(({ digest }) => !have.has(digest));
  const begin: SyncBegin = {
    type: "sync-begin",
    store: storeId,
    toStore: request?.store ?? null,
    device: platform.deviceName,
    since,
    except: request?.heard ?? [],
  };
  const total = items.length + 1;
  await say(begin, { done: 0, total });
  for (const [index, item] of items.entries()) await say(item.payload(), { done: index + 1, total });
  const done = await sayRooms(dependencies, target, { since, say, note, before: items.length });
  const upTo = Math.max(since, beganAt - MARGIN_MS);
  await say({ type: "sync-end", upTo }, { done, total: done });
}

/** Sends what this device knows and the other does not, as far as it said so (interface 6, rule 2). */
export function startSnapshot(dependencies: SnapshotDependencies, target: SnapshotTarget): SnapshotRun {
  const { platform, heard, send, onProgress } = dependencies;
  const { clientInstanceId: to, device } = target;
  const id = platform.newId();
  const cancelled = new AbortController();
  const window = createWindow(platform, target.request !== null, cancelled.signal);
  let seq = 0;
  const say: Say = async (payload, { done, total }) => {
    for (const frame of inFrames(payload, () => platform.newId())) {
      await window.upTo(seq);
      const snapshot: SnapshotMark = { id, to, seq, done, total };
      seq += 1;
      await send({ ...frame, snapshot });
    }
    onProgress({ direction: "sending", device, done, total });
  };
  const run = async (): Promise<void> => {
    await sayAll(dependencies, target, say, (message) => heard.note(id, messageDigest(message)));
    heard.close(id);
  };
  return { id, target, finished: run(), received: window.received, cancel: () => cancelled.abort() };
}
