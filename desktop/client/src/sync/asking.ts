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

/** Asks one device, or whoever answers, for what this one lacks or for everything. */
type Ask = (to: string | null, everything: boolean) => Promise<void>;

/** Runs things later until it is closed. */
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

/** What this device asks for, by what it has. */
export function createAsking(
  dependencies: SessionDependencies,
  storeId: string,
  known: Known,
  say: TrySend,
): Ask {
  const { store, receivedSnapshots, deviceName: device } = dependencies;
  return async (to: string | null, everything: boolean): Promise<void> => {
    const request = { type: "sync-request", to, store: storeId, device } as const;
    if (everything) return say({ ...request, known: {}, have: [], heard: [] });
    const have = (await stateItems(store)).slice(0, MAX_DIGESTS).map(({ digest }) => digest);
    return say({ ...request, known: Object.fromEntries(known), have, heard: receivedSnapshots.whole() });
  };
}

/** What asking goes by. */
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

/** Both directions: who came may know what nobody here does. Waits until it has what we know, to get less back. */
export function askBack(parts: AskingParts, { from, store, milliseconds, since }: Newcomer): void {
  const { receiving, sending, timers, ask } = parts;
  const { follower } = receiving;
  timers.later(milliseconds, () => {
    if (sending.isFor(store) || follower.to(from)) askBack(parts, { from, store, milliseconds, since });
    else if (!follower.gets(store, since)) void ask(from, false).catch(() => undefined);
  });
}

/** Asks again, a few times, when what was on its way here comes no further. */
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
