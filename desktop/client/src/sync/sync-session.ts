import type { Incoming } from "../connection/connection.ts";
import type { Platform } from "../ports.ts";
import type { SnapshotMark } from "../wire.ts";
import type { SyncPayload } from "@hearth/contracts";
import { createResponderElection } from "./responder-election.ts";
import type { ResponderElection } from "./responder-election.ts";
import { requestInReturn, createSyncRequest, createTimers, watchForStalls } from "./sync-requests.ts";
import type { SessionParts } from "./sync-requests.ts";
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
const RETURN_REQUEST_MS = 1_000;
const LATE_RETURN_REQUEST_MS = 4_000;

/** A sync session with the other devices: from an identify at home to the end of its socket. */
export interface SyncSession {
  /** Handles a payload of another device, one at a time. Rejects if the store fails. */
  receive(from: string, payload: SyncPayload): Promise<void>;
  peerOnline(peer: Extract<Incoming, { readonly type: "account_sync_peer_online" }>): void;
  /** Requests what this device lacks, or everything, from one device or from any that answers. */
  requestSync(to: string | null, everything: boolean): Promise<void>;
  close(): void;
}

const markOf = (payload: SyncPayload): SnapshotMark | null => {
  const mark = markSchema.safeParse(payload["snapshot"]);
  return mark.success ? mark.data : null;
};

function createReceive(
  platform: Platform,
  { receiving, sending }: SessionParts,
  election: ResponderElection,
  me: string,
): SyncSession["receive"] {
  const reassembly = createReassembly(() => platform.now());
  const dispatch = async (
    from: string,
    payload: CheckedPayload,
    mark: SnapshotMark | null,
  ): Promise<void> => {
    if (payload.type === "sync-request") election.request(from, payload);
    else if (payload.type === "sync-begin" && mark) election.snapshotBegan(mark.to, payload.toStore);
    else if (payload.type === "sync-received" && payload.to === me) sending.received(payload.id, payload.seq);
    else await receiving.apply(payload);
  };
  return async (from, payload) => {
    const mark = markOf(payload);
    const assembled = payload.type.endsWith("-chunk") ? reassembly.add(from, payload) : payload;
    const checked = assembled && checkedPayload(assembled);
    try {
      if (checked) await dispatch(from, checked, mark);
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
    (isComplete) => {
      progress.sending(null);
      if (isComplete) void markSynced(dependencies).catch(() => undefined);
    },
  );
  const receiving = createReceiving(dependencies, known, trySend, progress.receiving);
  const requestSync = createSyncRequest(dependencies, storeId, known, trySend);
  const parts: SessionParts = { receiving, sending, requestSync, progress, timers: createTimers(platform) };
  const onNewcomer = (from: string, store: string, isResponder: boolean): void => {
    const milliseconds = isResponder ? RETURN_REQUEST_MS : LATE_RETURN_REQUEST_MS * (1 + platform.random());
    requestInReturn(parts, { from, store, milliseconds, since: platform.now() });
  };
  const election = createResponderElection({
    platform,
    me,
    storeId,
    isHere,
    start: sending.start,
    onNewcomer,
  });
  watchForStalls(dependencies, parts);
  return {
    receive: createReceive(platform, parts, election, me),
    peerOnline: ({ clientInstanceId, device, responder }) =>
      election.peerOnline({ clientInstanceId, device: device.name ?? "", responder }),
    requestSync,
    close() {
      parts.timers.close();
      election.stop();
      sending.stop();
      progress.sending(null);
      progress.receiving(null);
    },
  };
}
