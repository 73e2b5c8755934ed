import type { SnapshotMark } from "../../wire.ts";
import type { ReceivedSnapshots } from "./received-snapshots.ts";
import type { CheckedMessage, CheckedPayload } from "../payloads/payload-schemas.ts";
import { messageDigest } from "./synced-messages.ts";

/** A snapshot of a sibling as it comes in. */
export interface Following {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly store: string;
  readonly device: string;
  /** Nothing that this store lacks was left out, so that it is in step once it has it whole. */
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
  /** Until when this store has what another knows. */
  readonly known: (store: string) => number;
}

/** Follows the snapshots that siblings send, to whomever they are for. */
export interface Follower {
  /** Called behind every payload that was stored. Answers the snapshot that is whole with this one, if any. */
  step(step: FollowStep): { readonly whole: Following; readonly upTo: number } | null;
  /** Something of it could not be stored, so it does not count as whole. */
  fail(mark: SnapshotMark): void;
  /** The one that is for that device, if any. */
  to(clientInstanceId: string): Following | null;
  /** Whether this store is getting what that one knows, or got it since a time. */
  gets(store: string, since: number): boolean;
  /** Those of which nothing came any more end here. */
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
  const got = new Map<string, number>();

  const begin = ({ payload, mark, from, now, known }: FollowStep): void => {
    if (payload?.type !== "sync-begin" || mark.seq !== 0) return;
    const { store, device, since, except } = payload;
    for (const [id, other] of following) if (other.from === from) following.delete(id);
    const { id, to, done, total } = mark;
    const whole = new Set(receivedSnapshots.whole());
    const isGapless = since <= known(store) && (to === me || except.every((other) => whole.has(other)));
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
      if (current.isGapless) got.set(current.store, now);
      return { whole: { ...current, done, total }, upTo: payload.upTo };
    },
    fail: ({ id }) => void following.delete(id),
    to: (clientInstanceId) => [...following.values()].find(({ to }) => to === clientInstanceId) ?? null,
    gets: (store, since) =>
      (got.get(store) ?? -Infinity) >= since ||
      [...following.values()].some((one) => one.store === store && one.isGapless),
    dropStalled(before) {
      const stalled = [...following.values()].filter(({ touchedAt }) => touchedAt < before);
      for (const { id } of stalled) following.delete(id);
      return stalled;
    },
  };
}
