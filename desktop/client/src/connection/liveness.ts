import type { Platform } from "../ports.ts";

const PATIENCE_MS = 5_000;

/** Checks whether a socket is alive, because an OPEN one may have been dead for long. */
export interface Liveness {
  /** Pings now. Dead if nothing arrives and nothing leaves for 5 s. */
  probe(): void;
  /** Something arrived from the server. */
  noteArrival(): void;
  stop(): void;
}

interface LivenessOptions {
  readonly platform: Pick<Platform, "later">;
  readonly heartbeatMs: number;
  /** Sends a `ping`. */
  readonly ping: () => void;
  /** Bytes that the socket has not sent yet. */
  readonly unsent: () => number;
  readonly onSilence: () => void;
}

export function createLiveness({
  platform,
  heartbeatMs,
  ping,
  unsent,
  onSilence,
}: LivenessOptions): Liveness {
  let cancelHeartbeat = (): void => undefined;
  let cancelCheck: (() => void) | null = null;
  let arrivals = 0;

  const check = (arrivalsBefore: number, unsentBefore: number): void => {
    cancelCheck = null;
    // A large message under way is a sign of life.
    if (arrivals > arrivalsBefore) return;
    if (unsent() < unsentBefore) watch();
    else onSilence();
  };
  const watch = (): void => {
    const before = [arrivals, unsent()] as const;
    cancelCheck = platform.later(PATIENCE_MS, () => check(...before));
  };
  const probe = (): void => {
    if (cancelCheck !== null) return;
    watch();
    ping();
  };
  const beat = (): void => {
    cancelHeartbeat = platform.later(heartbeatMs, () => {
      beat();
      probe();
    });
  };
  beat();
  return {
    probe,
    noteArrival: () => void (arrivals += 1),
    stop() {
      cancelHeartbeat();
      cancelCheck?.();
    },
  };
}
