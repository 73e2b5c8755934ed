import type { SnapshotRun, SnapshotTarget } from "./snapshots/snapshot-sender.ts";

const MAX_WAITING = 8;

/** Sends one snapshot after the other. A repeated request replaces the earlier one. */
export interface Sending {
  readonly start: (target: SnapshotTarget) => void;
  received(id: string, seq: number): void;
  /** Whether a snapshot for that store is being sent or waits. */
  isFor(storeId: string): boolean;
  stop(): void;
}

export function createSending(
  begin: (target: SnapshotTarget) => SnapshotRun,
  onFinished: (isComplete: boolean) => void,
): Sending {
  let waiting: SnapshotTarget[] = [];
  let current: SnapshotRun | null = null;
  let isStopped = false;

  const isSame = (a: SnapshotTarget, b: SnapshotTarget): boolean => a.clientInstanceId === b.clientInstanceId;
  /** Whether another tab of that browser already gets one. */
  const sharesStore = (a: SnapshotTarget, b: SnapshotTarget): boolean =>
    a.request !== null && a.request.store === b.request?.store && !isSame(a, b);

  const run = async (target: SnapshotTarget): Promise<boolean> => {
    try {
      current = begin(target);
      await current.finished;
      return true;
    } catch {
      return false;
    } finally {
      current = null;
    }
  };
  const next = (): void => {
    const target = current || isStopped ? undefined : waiting.shift();
    if (!target) return;
    void run(target).then((isComplete) => {
      if (isStopped) return;
      onFinished(isComplete);
      next();
    });
  };
  return {
    start(target) {
      const others = [...(current ? [current.target] : []), ...waiting];
      if (others.some((other) => sharesStore(other, target))) return;
      waiting = [...waiting.filter((other) => !isSame(other, target)), target].slice(-MAX_WAITING);
      if (current && isSame(current.target, target)) current.cancel();
      next();
    },
    received(id, seq) {
      if (current?.id === id) current.received(seq);
    },
    isFor: (storeId) =>
      current?.target.request?.store === storeId || waiting.some(({ request }) => request?.store === storeId),
    stop() {
      isStopped = true;
      waiting = [];
      current?.cancel();
    },
  };
}
