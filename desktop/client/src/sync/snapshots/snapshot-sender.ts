import type { ClientStore } from "@hearth/store";
import type { Platform } from "../../ports.ts";
import { ClientProblem } from "@hearth/device";
import type { SnapshotMark, SyncPayloads } from "../../wire.ts";
import type { SyncProgress } from "../account-sync.ts";
import { inFrames } from "./chunks.ts";
import type { HeardSnapshots } from "./heard-snapshots.ts";
import type { CheckedRequest } from "../payloads/payload-schemas.ts";
import { attachmentsByMessage, roomBatches } from "./room-batches.ts";
import { stateItems } from "./state-items.ts";
import type { StateItem } from "./state-items.ts";
import { messageDigest } from "./synced-messages.ts";
import type { LoreMessage } from "./synced-messages.ts";
import type { Send } from "../tell-queue.ts";

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
  /** What this device is called. */
  readonly deviceName: string;
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

/** Says one payload, when so much of the whole was said before. */
type Say = (payload: SyncPayloads, done: number) => Promise<void>;

interface Saying {
  readonly since: number;
  /** What every room adds to the progress. */
  readonly weights: ReadonlyMap<string, number>;
  readonly items: readonly StateItem[];
  readonly say: Say;
  readonly note: (message: LoreMessage) => void;
}

async function sayRooms(
  { store, heard }: SnapshotDependencies,
  { request }: SnapshotTarget,
  { since, weights, items, say, note }: Saying,
): Promise<void> {
  const attachments = attachmentsByMessage(await store.attachments());
  const isHeard = heard.among(request?.heard ?? []);
  let done = items.length;
  for (const [roomId, weight] of weights) {
    let said = 0;
    for await (const batch of roomBatches({ store, roomId, since, attachments, isHeard })) {
      said = Math.min(weight, said + batch.messages.length);
      for (const message of batch.messages) note(message);
      await say(batch, done + said);
    }
    done += weight;
  }
}

async function sayAll(
  dependencies: SnapshotDependencies,
  target: SnapshotTarget,
  saying: Saying,
  total: number,
): Promise<void> {
  const { platform, storeId, deviceName } = dependencies;
  const { request } = target;
  const { since, items, say } = saying;
  const beganAt = platform.now();
  const shared = { store: storeId, toStore: request?.store ?? null, device: deviceName, since };
  await say({ type: "sync-begin", ...shared, except: request?.heard ?? [] }, 0);
  for (const [index, item] of items.entries()) await say(item.payload(), index + 1);
  await sayRooms(dependencies, target, saying);
  await say({ type: "sync-end", upTo: Math.max(since, beganAt - MARGIN_MS) }, total);
}

/** What the other device does not have, as far as it said so. */
async function toSay({ store, storeId }: SnapshotDependencies, request: CheckedRequest | null) {
  const have = new Set(request?.have);
  const since = request?.known[storeId] ?? 0;
  const items = (await stateItems(store)).filter(({ digest }) => !have.has(digest));
  const weights = await roomWeights(store, since);
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, items.length);
  return { since, items, weights, total };
}

/** Sends what this device knows and the other does not, as far as it said so (interface 6, rule 2). */
export function startSnapshot(dependencies: SnapshotDependencies, target: SnapshotTarget): SnapshotRun {
  const { platform, heard, send, onProgress } = dependencies;
  const { clientInstanceId: to, device } = target;
  const id = platform.newId();
  const cancelled = new AbortController();
  const window = createWindow(platform, target.request !== null, cancelled.signal);
  let seq = 0;
  const sayOf =
    (total: number): Say =>
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
    const { total, ...what } = await toSay(dependencies, target.request);
    const note = (message: LoreMessage): void => heard.note(id, messageDigest(message));
    await sayAll(dependencies, target, { ...what, say: sayOf(total), note }, total);
    heard.close(id);
  };
  return { id, target, finished: run(), received: window.received, cancel: () => cancelled.abort() };
}
