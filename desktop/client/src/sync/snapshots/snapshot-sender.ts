import type { ClientStore } from "@hearth/store";
import type { Platform } from "../../ports.ts";
import { ClientProblem } from "@hearth/device";
import type { SnapshotMark, SyncPayloads } from "../../wire.ts";
import type { SyncProgress } from "../account-sync.ts";
import { inFrames } from "./chunks.ts";
import type { ReceivedSnapshots } from "./received-snapshots.ts";
import type { CheckedRequest } from "../payloads/payload-schemas.ts";
import { attachmentsByMessage, roomBatches } from "./room-batches.ts";
import { stateItems } from "./state-items.ts";
import type { StateItem } from "./state-items.ts";
import { messageDigest } from "./synced-messages.ts";
import type { FullSyncedMessage } from "./synced-messages.ts";
import type { Send } from "../sync-outbox.ts";

/** How many payloads may be unacknowledged; fewer than the server queues for a slow reader (WS13). */
const WINDOW = 8;
const RECEIPT_MS = 30_000;
/** Writes that were running when the snapshot began may have an earlier time. */
const MARGIN_MS = 60_000;

export interface SnapshotTarget {
  readonly clientInstanceId: string;
  readonly device: string;
  /** `null` for a device that sent no request: it gets everything and acknowledges nothing. */
  readonly request: CheckedRequest | null;
}

export interface SnapshotDependencies {
  readonly platform: Platform;
  readonly store: ClientStore;
  readonly storeId: string;
  /** This device's name. */
  readonly deviceName: string;
  readonly receivedSnapshots: ReceivedSnapshots;
  readonly send: Send;
  readonly onProgress: (progress: SyncProgress) => void;
}

/** A snapshot that is being sent; `finished` rejects if it could not be completed. */
export interface SnapshotRun {
  readonly id: string;
  readonly target: SnapshotTarget;
  readonly finished: Promise<void>;
  readonly received: (seq: number) => void;
  readonly cancel: () => void;
}

/** Limits how many payloads are unacknowledged, and gives up on a silent receiver. */
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

/** The number of messages per room for the progress; 1 per room if only recent changes are sent. */
async function roomWeights(store: ClientStore, since: number): Promise<ReadonlyMap<string, number>> {
  const weights = (await store.rooms()).map(async ({ id }) => {
    const page = since === 0 ? await store.messages(id, { limit: 1, from: { offset: 0 } }) : undefined;
    return [id, Math.max(1, page?.total ?? 1)] as const;
  });
  return new Map(await Promise.all(weights));
}

/** Sends one payload and reports the progress before it. */
type SendPayload = (payload: SyncPayloads, done: number) => Promise<void>;

interface SnapshotContent {
  readonly since: number;
  /** What every room adds to the progress. */
  readonly weights: ReadonlyMap<string, number>;
  readonly items: readonly StateItem[];
  readonly send: SendPayload;
  readonly note: (message: FullSyncedMessage) => void;
}

async function sendRooms(
  { store, receivedSnapshots }: SnapshotDependencies,
  { request }: SnapshotTarget,
  { since, weights, items, send, note }: SnapshotContent,
): Promise<void> {
  const attachments = attachmentsByMessage(await store.attachments());
  const isKnown = receivedSnapshots.among(request?.heard ?? []);
  let done = items.length;
  for (const [roomId, weight] of weights) {
    let said = 0;
    for await (const batch of roomBatches({ store, roomId, since, attachments, isKnown })) {
      said = Math.min(weight, said + batch.messages.length);
      for (const message of batch.messages) note(message);
      await send(batch, done + said);
    }
    done += weight;
  }
}

async function sendAll(
  dependencies: SnapshotDependencies,
  target: SnapshotTarget,
  saying: SnapshotContent,
  total: number,
): Promise<void> {
  const { platform, storeId, deviceName } = dependencies;
  const { request } = target;
  const { since, items, send } = saying;
  const beganAt = platform.now();
  const shared = { store: storeId, toStore: request?.store ?? null, device: deviceName, since };
  await send({ type: "sync-begin", ...shared, except: request?.heard ?? [] }, 0);
  for (const [index, item] of items.entries()) await send(item.payload(), index + 1);
  await sendRooms(dependencies, target, saying);
  await send({ type: "sync-end", upTo: Math.max(since, beganAt - MARGIN_MS) }, total);
}

/** What the receiver lacks according to its request. */
async function contentFor({ store, storeId }: SnapshotDependencies, request: CheckedRequest | null) {
  const have = new Set(request?.have);
  const since = request?.known[storeId] ?? 0;
  const items = (await stateItems(store)).filter(({ digest }) => !have.has(digest));
  const weights = await roomWeights(store, since);
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, items.length);
  return { since, items, weights, total };
}

/** Sends what the receiver lacks according to its request (interface 6, rule 2). */
export function startSnapshot(dependencies: SnapshotDependencies, target: SnapshotTarget): SnapshotRun {
  const { platform, receivedSnapshots, send, onProgress } = dependencies;
  const { clientInstanceId: to, device } = target;
  const id = platform.newId();
  const cancelled = new AbortController();
  const window = createWindow(platform, target.request !== null, cancelled.signal);
  let seq = 0;
  const sayOf =
    (total: number): SendPayload =>
    async (payload, done) => {
      for (const frame of inFrames(payload, () => platform.newId())) {
        await window.upTo(seq);
        const snapshot: SnapshotMark = { id, to, seq, done, total };
        seq += 1;
        await send({ ...frame, snapshot });
      }
      onProgress({ direction: "sending", device, done, total });
    };
  const run = async (): Promise<void> => {
    const { total, ...what } = await contentFor(dependencies, target.request);
    const note = (message: FullSyncedMessage): void => receivedSnapshots.note(id, messageDigest(message));
    await sendAll(dependencies, target, { ...what, send: sayOf(total), note }, total);
    receivedSnapshots.close(id);
  };
  return { id, target, finished: run(), received: window.received, cancel: () => cancelled.abort() };
}
