import type { Platform } from "../ports.ts";
import type { Receiving } from "./receiving.ts";
import type { Sending } from "./sending.ts";
import type { Known, TrySend, SessionDependencies } from "./session-deps.ts";
import type { Progress } from "./session-progress.ts";
import { stateItems } from "./snapshots/state-items.ts";

const MAX_DIGESTS = 20_000;
const STALL_MS = 30_000;
const MAX_RETRIES = 3;

type Timers = ReturnType<typeof createTimers>;

/** Requests what this device lacks, or everything: from one device, or from any that answers. */
type RequestSync = (to: string | null, everything: boolean) => Promise<void>;

/** Timers that end with the session. */
export function createTimers(platform: Platform) {
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

/** Builds requests from what this device has. */
export function createSyncRequest(
  dependencies: SessionDependencies,
  storeId: string,
  known: Known,
  trySend: TrySend,
): RequestSync {
  const { store, receivedSnapshots, deviceName: device } = dependencies;
  return async (to: string | null, everything: boolean): Promise<void> => {
    const request = { type: "sync-request", to, store: storeId, device } as const;
    if (everything) return trySend({ ...request, known: {}, have: [], heard: [] });
    const have = (await stateItems(store)).slice(0, MAX_DIGESTS).map(({ digest }) => digest);
    return trySend({
      ...request,
      known: Object.fromEntries(known),
      have,
      heard: receivedSnapshots.complete(),
    });
  };
}

/** The parts of a session that requests need. */
export interface SessionParts {
  readonly receiving: Receiving;
  readonly sending: Sending;
  readonly requestSync: RequestSync;
  readonly progress: Progress;
  readonly timers: Timers;
}

interface Newcomer {
  readonly from: string;
  readonly store: string;
  readonly milliseconds: number;
  readonly since: number;
}

/** Requests the newcomer's data in return. Waits until it has ours, so that less comes back. */
export function requestInReturn(parts: SessionParts, { from, store, milliseconds, since }: Newcomer): void {
  const { receiving, sending, timers, requestSync } = parts;
  const { follower } = receiving;
  timers.later(milliseconds, () => {
    if (sending.isFor(store) || follower.to(from))
      requestInReturn(parts, { from, store, milliseconds, since });
    else if (!follower.receivesFrom(store, since)) void requestSync(from, false).catch(() => undefined);
  });
}

/** Repeats the request a few times if a snapshot for this device stalls. */
export function watchForStalls(
  dependencies: Pick<SessionDependencies, "platform" | "instanceId">,
  parts: SessionParts,
  retries = 0,
): void {
  const { platform, instanceId: me } = dependencies;
  const { receiving, timers, progress, requestSync } = parts;
  timers.later(STALL_MS / 2, () => {
    const stalled = receiving.follower.dropStalled(platform.now() - STALL_MS);
    const isForUs = stalled.some(({ to }) => to === me);
    if (isForUs) progress.receiving(null);
    if (isForUs && retries < MAX_RETRIES) void requestSync(null, false).catch(() => undefined);
    watchForStalls(dependencies, parts, retries + Number(isForUs));
  });
}
