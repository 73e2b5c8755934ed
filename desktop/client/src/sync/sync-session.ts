import type { Incoming } from "../connection/connection.ts";
import type { Platform } from "../ports.ts";
import type { SnapshotMark } from "../wire.ts";
import type { SyncPayload } from "@hearth/contracts";
import { createAnswering } from "./answering.ts";
import type { Answering } from "./answering.ts";
import { askBack, createAsking, createTimers, watchForStalls } from "./asking.ts";
import type { AskingParts } from "./asking.ts";
import { createReassembly } from "./snapshots/chunks.ts";
import { checkedPayload, markSchema } from "./payloads/payload-schemas.ts";
import type { CheckedPayload } from "./payloads/payload-schemas.ts";
import { createReceiving } from "./receiving.ts";
import { createSending } from "./sending.ts";
import { markSynced } from "./session-deps.ts";
import type { Known, TrySend, SessionDependencies } from "./session-deps.ts";
import { createProgress } from "./session-progress.ts";
import { startSnapshot } from "./snapshots/snapshot-sender.ts";

/** When the responder, and when other devices, request data from a newcomer. */
const ASK_BACK_MS = 1_000;
const ASK_BACK_LATER_MS = 4_000;

/** A sync session with the other devices: from an identify at home to the end of its socket. */
export interface SyncSession {
  /** Handles a payload of another device, one at a time. Rejects if the store fails. */
  receive(from: string, payload: SyncPayload): Promise<void>;
  peerOnline(peer: Extract<Incoming, { readonly type: "account_sync_peer_online" }>): void;
  /** Requests what this device lacks, or everything, from one device or from whoever answers. */
  ask(to: string | null, everything: boolean): Promise<void>;
  close(): void;
}

const markOf = (payload: SyncPayload): SnapshotMark | null => {
  const mark = markSchema.safeParse(payload["snapshot"]);
  return mark.success ? mark.data : null;
};

function createReceive(
  platform: Platform,
  { receiving, sending }: AskingParts,
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

export async function openSyncSession(dependencies: SessionDependencies): Promise<SyncSession> {
  const { platform, store, records, receivedSnapshots, instanceId: me, isHere, send } = dependencies;
  const storeId = await records.storeId();
  const known: Known = new Map(Object.entries(await records.known()));
  const progress = createProgress(dependencies);
  const trySend: TrySend = async (payload) => send(payload).catch(() => undefined);
  const { deviceName } = dependencies;
  const snapshot = {
    platform,
    store,
    storeId,
    deviceName,
    receivedSnapshots,
    send,
    onProgress: progress.sending,
  };
  const sending = createSending(
    (target) => startSnapshot(snapshot, target),
    (isWhole) => {
      progress.sending(null);
      if (isWhole) void markSynced(dependencies).catch(() => undefined);
    },
  );
  const receiving = createReceiving(dependencies, known, trySend, progress.receiving);
  const ask = createAsking(dependencies, storeId, known, trySend);
  const parts: AskingParts = { receiving, sending, ask, progress, timers: createTimers(platform) };
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
