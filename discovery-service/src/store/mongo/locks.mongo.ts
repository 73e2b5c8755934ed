import { ProblemError } from "@hearth/contracts";
import { poll, retry } from "@hearth/runtime";
import { isDuplicateKey } from "@hearth/runtime/network";
import type { Collections } from "./collections.mongo.ts";
import { ABANDONED_MS, createLeases } from "./leases.mongo.ts";
import type { Lease, LeaseTimes } from "./leases.mongo.ts";

const PATIENCE_MS = 2_500;
const RETRY_MS = 15;
const SWEEP_MS = 500;
const REPAIR_RETRY_MS = 500;

export interface LockTimes extends LeaseTimes {
  /** Longest wait for a lock that another writer holds; default 2,500. */
  readonly patienceMs?: number;
}

/**
 * Lets one writer at a time change the records of a server, in all processes: a MongoDB without a replica set has no
 * transactions. A holder renews its lock. If a holder died, a process that has seen its lock unchanged for 4 s takes the
 * lock over, and repairs the records first. Each process measures the 4 s with its own clock, so clocks need not agree.
 */
export interface Locks {
  hold<Result>(serverId: string, work: () => Promise<Result>): Promise<Result>;
  /** Takes over abandoned locks, so that repairs do not wait for the next writer. Runs by itself every 500 ms. */
  sweep(): Promise<void>;
  close(): void;
}

type Repair = (serverId: string) => Promise<void>;

/** After any other error, some of the work's writes may have been done. */
const wroteNothing = (error: unknown): boolean => error instanceof ProblemError || isDuplicateKey(error);

export function createLocks(collections: Collections, repair: Repair, times: LockTimes = {}): Locks {
  const { patienceMs = PATIENCE_MS, abandonedMs = ABANDONED_MS } = times;
  const leases = createLeases(collections, times);
  const inTurn = createTurns();
  let sweeping = false;

  const take = async (serverId: string): Promise<Lease> => {
    const lease = await poll(() => leases.take(serverId), { everyMs: RETRY_MS, limitMs: patienceMs });
    if (!lease) throw new ProblemError("UNAVAILABLE", "Too many changes at once");
    return lease;
  };

  /** Repairs and then releases, as soon as MongoDB can; after a while another process takes over. */
  const repairAndRelease = async (lease: Lease): Promise<void> => {
    const attempt = async (): Promise<void> => {
      if (!(await lease.renew())) return;
      await lease.renewDuring(() => repair(lease.serverId));
      await lease.release();
    };
    const limits = { delayMs: REPAIR_RETRY_MS, limitMs: abandonedMs / 2, ref: false };
    await retry(attempt, limits).catch(() => undefined);
  };

  const runLocked = async <Result>(serverId: string, work: () => Promise<Result>): Promise<Result> => {
    const lease = await take(serverId);
    try {
      const result = await lease.renewDuring(async () => {
        if (lease.wasAbandoned) await repair(serverId);
        return work();
      });
      await lease.release();
      return result;
    } catch (error) {
      if (wroteNothing(error)) await lease.release();
      else void repairAndRelease(lease);
      throw error;
    }
  };

  const sweep = async (): Promise<void> => {
    if (sweeping) return;
    sweeping = true;
    try {
      for (const serverId of await leases.locked()) {
        const lease = await leases.takeOver(serverId);
        if (lease) await repairAndRelease(lease);
      }
    } catch {
      // MongoDB is unreachable; the next sweep tries again.
    }
    sweeping = false;
  };

  const timer = setInterval(() => void sweep(), SWEEP_MS).unref();
  return {
    hold: (serverId, work) => inTurn(serverId, () => runLocked(serverId, work)),
    sweep,
    close: () => clearInterval(timer),
  };
}

/** Runs the work for one server in turn, so that writers of this process wait here and not at the database. */
function createTurns() {
  const queues = new Map<string, Promise<unknown>>();
  return async <Result>(serverId: string, work: () => Promise<Result>): Promise<Result> => {
    const before = queues.get(serverId) ?? Promise.resolve();
    const mine = before.then(work);
    const settled = mine.catch(() => undefined);
    queues.set(serverId, settled);
    try {
      return await mine;
    } finally {
      if (queues.get(serverId) === settled) queues.delete(serverId);
    }
  };
}
