import type { SnapshotMark } from "../../wire.ts";
import type { ReceivedSnapshots } from "./received-snapshots.ts";
import type { CheckedMessage, CheckedPayload } from "../payloads/payload-schemas.ts";
import { messageDigest } from "./synced-messages.ts";

/** A snapshot that is being received. */
export interface Following {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly store: string;
  readonly device: string;
  /** True if it leaves out nothing that this store lacks; then its end means that both are in sync. */
  readonly isGapless: boolean;
  readonly done: number;
  readonly total: number;
  readonly touchedAt: number;
}

export interface FollowStep {
  readonly payload: CheckedPayload | null;
  readonly mark: SnapshotMark;
  readonly from: string;
  readonly now: number;
  /** Up to which time this store has the data of another one. */
  readonly known: (store: string) => number;
}

/** Follows the snapshots of other devices, for this device or another one. */
export interface Follower {
  /** Call it after every stored payload. Returns the snapshot that this payload completes, if any. */
  step(step: FollowStep): { readonly snapshot: Following; readonly upTo: number } | null;
  /** A payload could not be stored, so the snapshot is incomplete. */
  fail(mark: SnapshotMark): void;
  /** The snapshot for that device, if any. */
  to(clientInstanceId: string): Following | null;
  /** Whether this store is receiving a gapless snapshot of that store, or did since a time. */
  receivesFrom(store: string, since: number): boolean;
  /** Ends stalled snapshots and returns them. */
  dropStalled(before: number): readonly Following[];
}

const noteMessages = (
  receivedSnapshots: ReceivedSnapshots,
  id: string,
  messages: readonly CheckedMessage[],
): void => {
  for (const message of messages) receivedSnapshots.note(id, messageDigest(message));
};

export function createFollower(receivedSnapshots: ReceivedSnapshots, me: string): Follower {
  const following = new Map<string, Following & { readonly nextSeq: number }>();
  const receivedAt = new Map<string, number>();

  const begin = ({ payload, mark, from, now, known }: FollowStep): void => {
    if (payload?.type !== "sync-begin" || mark.seq !== 0) return;
    const { store, device, since, except } = payload;
    for (const [id, other] of following) if (other.from === from) following.delete(id);
    const { id, to, done, total } = mark;
    const complete = new Set(receivedSnapshots.complete());
    const isGapless = since <= known(store) && (to === me || except.every((other) => complete.has(other)));
    following.set(id, { id, from, to, store, device, isGapless, done, total, touchedAt: now, nextSeq: 1 });
  };
  return {
    step(step) {
      const { payload, mark, from, now } = step;
      begin(step);
      const current = following.get(mark.id);
      if (current?.from !== from) return null;
      const { done, total } = mark;
      if (mark.seq > current.nextSeq) {
        following.delete(mark.id);
        return null;
      }
      const nextSeq = Math.max(current.nextSeq, mark.seq + 1);
      following.set(mark.id, { ...current, done, total, touchedAt: now, nextSeq });
      if (payload?.type === "chat-sync-batch") noteMessages(receivedSnapshots, mark.id, payload.messages);
      if (payload?.type !== "sync-end") return null;
      following.delete(mark.id);
      receivedSnapshots.close(mark.id);
      if (current.isGapless) receivedAt.set(current.store, now);
      return { snapshot: { ...current, done, total }, upTo: payload.upTo };
    },
    fail: ({ id }) => void following.delete(id),
    to: (clientInstanceId) => [...following.values()].find(({ to }) => to === clientInstanceId) ?? null,
    receivesFrom: (store, since) =>
      (receivedAt.get(store) ?? -Infinity) >= since ||
      [...following.values()].some((one) => one.store === store && one.isGapless),
    dropStalled(before) {
      const stalled = [...following.values()].filter(({ touchedAt }) => touchedAt < before);
      for (const { id } of stalled) following.delete(id);
      return stalled;
    },
  };
}
