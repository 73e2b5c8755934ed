import type { ClientStore } from "../../store/history.ts";
import type { Incoming } from "../connection/connection.ts";
import type { Platform } from "../ports.ts";
import type { SnapshotMark, SyncPayloads } from "../wire.ts";
import type { Applied, SyncPayload, SyncProgress } from "./account-sync.ts";
import { createAnswering } from "./answering.ts";
import type { Answering } from "./answering.ts";
import { applyPayload } from "./apply-payload.ts";
import type { ApplyDependencies } from "./apply-payload.ts";
import { createReassembly } from "./chunks.ts";
import type { HeardSnapshots } from "./heard-snapshots.ts";
import { checkedPayload, markSchema } from "./payload-schemas.ts";
import type { CheckedPayload } from "./payload-schemas.ts";
import { createSending } from "./sending.ts";
import type { Sending } from "./sending.ts";
import { createFollower } from "./snapshot-follower.ts";
import type { Following } from "./snapshot-follower.ts";
import { startSnapshot } from "./snapshot-sender.ts";
import { stateItems } from "./state-items.ts";
import type { SyncRecords } from "./sync-records.ts";
import type { Send } from "./tell-queue.ts";

/** Every so many payloads the sender is told how far this device is; less than what it sends ahead. */
const RECEIPT_EVERY = 4;
const MOST_DIGESTS = 20_000;
const STALL_MS = 30_000;
const MOST_RETRIES = 3;
const ASK_BACK_MS = 1_000;
const ASK_BACK_LATER_MS = 4_000;

export interface SessionDependencies extends ApplyDependencies {
  readonly platform: Platform;
  readonly store: ClientStore;
  readonly records: SyncRecords;
  readonly heard: HeardSnapshots;
  readonly instanceId: string;
  readonly isHere: (clientInstanceId: string) => Promise<boolean>;
  readonly deviceName: string;
  readonly send: Send;
  readonly onApplied: (applied: Applied) => void;
  readonly onProgress: (progress: SyncProgress | null) => void;
  readonly onInStep: () => void;
}

/** What this device and its siblings do while it is online at home, from one identify to the end of its socket. */
export interface SyncSession {
  /** What a sibling sent; one at a time, in order. Rejects where the store could not take it. */
  receive(from: string, payload: SyncPayload): Promise<void>;
  peerOnline(peer: Extract<Incoming, { readonly type: "account_sync_peer_online" }>): void;
  /** Asks one device, or whoever answers, for what this one lacks or for everything. */
  ask(to: string | null, everything: boolean): Promise<void>;
  close(): void;
}

type Known = Map<string, number>;

type Say = (payload: SyncPayloads) => Promise<void>;
type Timers = ReturnType<typeof createTimers>;
type Progress = ReturnType<typeof createProgress>;

const markOf = (payload: SyncPayload): SnapshotMark | null => {
  const mark = markSchema.safeParse(payload["snapshot"]);
  return mark.success ? mark.data : null;
};

/** Runs things later until it is closed. */
function createTimers(platform: Platform) {
  const cancels = new Set<() => void>();
  return {
    later(milliseconds: number, run: () => void): void {
      const cancel = platform.later(milliseconds, () => {
        cancels.delete(cancel);
        run();
      });
      cancels.add(cancel);
    },
    close: () => cancels.forEach((cancel) => cancel()),
  };
}

function createProgress({ onProgress }: SessionDependencies) {
  let receiving: SyncProgress | null = null;
  let sending: SyncProgress | null = null;
  const tell = (): void => onProgress(receiving ?? sending);
  return {
    receiving: (from: Following | null): void => {
      receiving = from && { direction: "receiving", device: from.device, done: from.done, total: from.total };
      tell();
    },
    sending: (progress: SyncProgress | null): void => {
      sending = progress;
      tell();
    },
  };
}

/** Receives: applies what siblings tell, and follows their snapshots. */
function createReceiving(
  dependencies: SessionDependencies,
  known: Known,
  say: Say,
  onStep: Progress["receiving"],
) {
  const { platform, records, heard, instanceId: me } = dependencies;
  const follower = createFollower(heard, me);

  const finish = async (whole: Following, upTo: number): Promise<void> => {
    if (whole.isGapless) {
      known.set(whole.store, Math.max(known.get(whole.store) ?? 0, upTo));
      await records.learnt(whole.store, upTo);
    }
    if (whole.to === me) await inStep(dependencies);
  };
  return {
    follower,
    apply: async (payload: CheckedPayload): Promise<void> => {
      for (const applied of await applyPayload(dependencies, payload)) dependencies.onApplied(applied);
    },
    follow: async (from: string, mark: SnapshotMark, payload: CheckedPayload | null): Promise<void> => {
      const step = { payload, mark, from, now: platform.now(), known: (id: string) => known.get(id) ?? 0 };
      const end = follower.step(step);
      if (end) await finish(end.whole, end.upTo);
      if (mark.to !== me) return;
      onStep(follower.to(me));
      if (end || mark.seq % RECEIPT_EVERY === RECEIPT_EVERY - 1)
        void say({ type: "sync-received", to: from, id: mark.id, seq: mark.seq });
    },
  };
}

async function inStep({ platform, records, onInStep }: SessionDependencies): Promise<void> {
  await records.inStep(platform.now());
  onInStep();
}

/** What this device asks for, by what it has. */
function createAsking(dependencies: SessionDependencies, storeId: string, known: Known, say: Say) {
  const { store, heard, deviceName: device } = dependencies;
  return async (to: string | null, everything: boolean): Promise<void> => {
    const request = { type: "sync-request", to, store: storeId, device } as const;
    if (everything) return say({ ...request, known: {}, have: [], heard: [] });
    const have = (await stateItems(store)).slice(0, MOST_DIGESTS).map(({ digest }) => digest);
    return say({ ...request, known: Object.fromEntries(known), have, heard: heard.whole() });
  };
}

interface Parts {
  readonly receiving: ReturnType<typeof createReceiving>;
  readonly sending: Sending;
  readonly ask: SyncSession["ask"];
  readonly progress: Progress;
  readonly timers: Timers;
}

/** Both directions: who came may know what nobody here does. Waits until it has what we know, to get less back. */
function askBack(parts: Parts, { from, store, milliseconds, since }: Newcomer): void {
  const { receiving, sending, timers, ask } = parts;
  const { follower } = receiving;
  timers.later(milliseconds, () => {
    if (sending.isFor(store) || follower.to(from)) askBack(parts, { from, store, milliseconds, since });
    else if (!follower.gets(store, since)) void ask(from, false).catch(() => undefined);
  });
}

interface Newcomer {
  readonly from: string;
  readonly store: string;
  readonly milliseconds: number;
  readonly since: number;
}

/** Asks again, a few times, when what was on its way here comes no further. */
function watchForStalls(dependencies: SessionDependencies, parts: Parts, retries = 0): void {
  const { platform, instanceId: me } = dependencies;
  const { receiving, timers, progress, ask } = parts;
  timers.later(STALL_MS / 2, () => {
    const stalled = receiving.follower.dropStalled(platform.now() - STALL_MS);
    const isMine = stalled.some(({ to }) => to === me);
    if (isMine) progress.receiving(null);
    if (isMine && retries < MOST_RETRIES) void ask(null, false).catch(() => undefined);
    watchForStalls(dependencies, parts, retries + Number(isMine));
  });
}

export async function openSyncSession(dependencies: SessionDependencies): Promise<SyncSession> {
  const { platform, store, records, heard, instanceId: me, isHere, send } = dependencies;
  const storeId = await records.storeId();
  const known: Known = new Map(Object.entries(await records.known()));
  const progress = createProgress(dependencies);
  const say: Say = async (payload) => send(payload).catch(() => undefined);
  const { deviceName } = dependencies;
  const snapshot = { platform, store, storeId, deviceName, heard, send, onProgress: progress.sending };
  const sending = createSending(
    (target) => startSnapshot(snapshot, target),
    (isWhole) => {
      progress.sending(null);
      if (isWhole) void inStep(dependencies).catch(() => undefined);
    },
  );
  const receiving = createReceiving(dependencies, known, say, progress.receiving);
  const ask = createAsking(dependencies, storeId, known, say);
  const parts: Parts = { receiving, sending, ask, progress, timers: createTimers(platform) };
  const onNewcomer = (from: string, store: string, isResponder: boolean): void => {
    const milliseconds = isResponder ? ASK_BACK_MS : ASK_BACK_LATER_MS * (1 + platform.random());
    askBack(parts, { from, store, milliseconds, since: platform.now() });
  };
  const answering = createAnswering({ platform, me, storeId, isHere, start: sending.start, onNewcomer });
  watchForStalls(dependencies, parts);
  return {
    receive: createReceive(platform, parts, answering, me),
    peerOnline: ({ clientInstanceId, device, responder }) =>
      answering.peerOnline({ clientInstanceId, device: device.name ?? "", responder }),
    ask,
    close() {
      parts.timers.close();
      answering.stop();
      sending.stop();
      progress.sending(null);
      progress.receiving(null);
    },
  };
}

function createReceive(
  platform: Platform,
  { receiving, sending }: Parts,
  answering: Answering,
  me: string,
): SyncSession["receive"] {
  const reassembly = createReassembly(() => platform.now());
  const take = async (from: string, payload: CheckedPayload, mark: SnapshotMark | null): Promise<void> => {
    if (payload.type === "sync-request") answering.request(from, payload);
    else if (payload.type === "sync-begin" && mark) answering.begun(mark.to, payload.toStore);
    else if (payload.type === "sync-received" && payload.to === me) sending.received(payload.id, payload.seq);
    else await receiving.apply(payload);
  };
  return async (from, payload) => {
    const mark = markOf(payload);
    const whole = payload.type.endsWith("-chunk") ? reassembly.add(from, payload) : payload;
    const checked = whole && checkedPayload(whole);
    try {
      if (checked) await take(from, checked, mark);
      if (mark) await receiving.follow(from, mark, checked);
    } catch (error) {
      if (mark) receiving.follower.fail(mark);
      throw error;
    }
  };
}
