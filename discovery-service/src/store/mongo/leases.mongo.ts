import { newId } from "@hearth/runtime";
import { isDuplicateKey } from "@hearth/runtime/network";
import type { Collections } from "./collections.mongo.ts";

/** Longer than the time between two renewals: MongoDB fails a step after 2.5 s, which ends the work. */
export const ABANDONED_MS = 4_000;
const RENEW_MS = 500;

export interface LeaseTimes {
  /** A lock that stays unchanged for so long is abandoned; default 4,000. */
  readonly abandonedMs?: number;
  /** The holder of a lock changes it this often; default 500. */
  readonly renewMs?: number;
}

export interface Lease {
  readonly serverId: string;
  /** Another process held the lock before and died. */
  readonly wasAbandoned: boolean;
  /** Runs work and renews the lease meanwhile, however slow MongoDB is. */
  renewDuring<Result>(work: () => Promise<Result>): Promise<Result>;
  /** False if the lock has another holder by now. */
  renew(): Promise<boolean>;
  /** If this fails, another process takes the lock over later. */
  release(): Promise<void>;
}

/** One step each; a lock is a document that names its holder. */
export interface Leases {
  /** Null while another process holds the lock. */
  take(serverId: string): Promise<Lease | null>;
  /** Null unless the lock is abandoned. */
  takeOver(serverId: string): Promise<Lease | null>;
  /** The servers with a lock. */
  locked(): Promise<readonly string[]>;
}

/** A lock as this process last saw it, and when it first saw it like that. */
interface Sighting {
  readonly holder: string;
  readonly renewals: number | null;
  readonly since: number;
}

export function createLeases({ locks }: Collections, times: LeaseTimes = {}): Leases {
  const { abandonedMs = ABANDONED_MS, renewMs = RENEW_MS } = times;
  const seen = new Map<string, Sighting>();

  const leaseOf = (serverId: string, holder: string, wasAbandoned: boolean): Lease => {
    const filter = { _id: serverId, holder };
    const renew = async (): Promise<boolean> =>
      (await locks.updateOne(filter, { $inc: { renewals: 1 } })).modifiedCount === 1;
    return {
      serverId,
      wasAbandoned,
      renew,
      renewDuring: async (work) => {
        const timer = setInterval(() => void renew().catch(() => undefined), renewMs).unref();
        try {
          return await work();
        } finally {
          clearInterval(timer);
        }
      },
      release: async () => {
        await locks.deleteOne(filter).catch(() => undefined);
      },
    };
  };

  const takeOver = async (serverId: string): Promise<Lease | null> => {
    const lock = await locks.findById(serverId).lean();
    if (!lock) return null;
    // Locks of an earlier version have no renewals.
    const { holder: current, renewals = null } = lock;
    const sighting = seen.get(serverId);
    if (sighting?.holder !== current || sighting.renewals !== renewals) {
      seen.set(serverId, { holder: current, renewals, since: performance.now() });
      return null;
    }
    if (performance.now() - sighting.since < abandonedMs) return null;
    seen.delete(serverId);
    const holder = newId();
    const unchanged = { _id: serverId, holder: current, renewals };
    const { modifiedCount } = await locks.updateOne(unchanged, { $set: { holder } });
    return modifiedCount === 1 ? leaseOf(serverId, holder, true) : null;
  };

  return {
    take: async (serverId) => {
      const holder = newId();
      try {
        await locks.create([{ _id: serverId, holder, renewals: 0 }]);
        seen.delete(serverId);
        return leaseOf(serverId, holder, false);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return takeOver(serverId);
      }
    },
    takeOver,
    locked: async () => (await locks.find({}, "_id").lean()).map(({ _id }) => _id),
  };
}
