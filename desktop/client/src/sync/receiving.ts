import type { SnapshotMark } from "../wire.ts";
import { applyPayload } from "./payloads/apply-payload.ts";
import type { CheckedPayload } from "./payloads/payload-schemas.ts";
import { markSynced } from "./session-deps.ts";
import type { Known, TrySend, SessionDependencies } from "./session-deps.ts";
import type { Progress } from "./session-progress.ts";
import { createFollower } from "./snapshots/snapshot-follower.ts";
import type { Following } from "./snapshots/snapshot-follower.ts";

/** How many payloads are acknowledged at once; fewer than the sender's window. */
const RECEIPT_EVERY = 4;

export type Receiving = ReturnType<typeof createReceiving>;

/** Applies payloads of other devices and follows their snapshots. */
export function createReceiving(
  dependencies: SessionDependencies,
  known: Known,
  trySend: TrySend,
  onStep: Progress["receiving"],
) {
  const { platform, records, receivedSnapshots, instanceId: me } = dependencies;
  const follower = createFollower(receivedSnapshots, me);

  const finish = async (snapshot: Following, upTo: number): Promise<void> => {
    if (snapshot.isGapless) {
      known.set(snapshot.store, Math.max(known.get(snapshot.store) ?? 0, upTo));
      await records.setKnown(snapshot.store, upTo);
    }
    if (snapshot.to === me) await markSynced(dependencies);
  };
  return {
    follower,
    apply: async (payload: CheckedPayload): Promise<void> => {
      for (const applied of await applyPayload(dependencies, payload)) dependencies.onApplied(applied);
    },
    follow: async (from: string, mark: SnapshotMark, payload: CheckedPayload | null): Promise<void> => {
      const step = { payload, mark, from, now: platform.now(), known: (id: string) => known.get(id) ?? 0 };
      const end = follower.step(step);
      if (end) await finish(end.snapshot, end.upTo);
      if (mark.to !== me) return;
      onStep(follower.to(me));
      if (end || mark.seq % RECEIPT_EVERY === RECEIPT_EVERY - 1)
        void trySend({ type: "sync-received", to: from, id: mark.id, seq: mark.seq });
    },
  };
}
