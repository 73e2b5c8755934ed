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

/** Requests what this device lacks, or everything, from one device or from whoever answers. */
type Ask = (to: string | null, everything: boolean) => Promise<void>;

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
export function createAsking(
  dependencies: SessionDependencies,
  storeId: string,
  known: Known,
  trySend: TrySend,
): Ask {
  const { store, receivedSnapshots, deviceName: device } = dependencies;
  return async (to: string | null, everything: boolean): Promise<void> => {
    const request = { type: "sync-request", to, store: storeId, device } as const;
    if (everything) return trySend({ ...request, known: {}, have: [], heard: [] });
    const have = (await stateItems(store)).slice(0, MAX_DIGESTS).map(({ digest }) => digest);
    return trySend({ ...request, known: Object.fromEntries(known), have, heard: receivedSnapshots.whole() });
  };
}

/** The parts of a session that requests need. */
export interface AskingParts {
  readonly receiving: Receiving;
  readonly sending: Sending;
  readonly ask: Ask;
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
export function askBack(parts: AskingParts, { from, store, milliseconds, since }: Newcomer): void {
  const { receiving, sending, timers, ask } = parts;
  const { follower } = receiving;
  timers.later(milliseconds, () => {
    if (sending.isFor(store) || follower.to(from)) askBack(parts, { from, store, milliseconds, since });
    else if (!follower.gets(store, since)) void ask(from, false).catch(() => undefined);
  });
}

/** Repeats the request a few times if a snapshot for this device stalls. */
export function watchForStalls(
  dependencies: Pick<SessionDependencies, "platform" | "instanceId">,
  parts: AskingParts,
  retries = 0,
): void {
  const { platform, instanceId: me } = dependencies;
  const { receiving, timers, progress, ask } = parts;
  timers.later(STALL_MS / 2, () => {
    const stalled = receiving.follower.dropStalled(platform.now() - STALL_MS);
    const isMine = stalled.some(({ to }) => to === me);
    if (isMine) progress.receiving(null);
    if (isMine && retries < MAX_RETRIES) void ask(null, false).catch(() => undefined);
    watchForStalls(dependencies, parts, retries + Number(isMine));
  });
}
