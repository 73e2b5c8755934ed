import { ProblemError } from "@hearth/contracts";
import { newId, retry, until } from "@hearth/runtime";
import { isDuplicateKey } from "@hearth/runtime/network";
import type { Collections } from "./collections.mongo.ts";

/** Longer than two renewals are ever apart: what MongoDB does not do within 2.5 s has failed, and ends the work. */
const ABANDONED_MS = 4_000;
const RENEW_MS = 500;
const PATIENCE_MS = 2_500;
const RETRY_MS = 15;
const SWEEP_MS = 500;
const MEND_MS = 500;

interface Sighting {
  readonly holder: string;
  readonly renewals: number | null;
  readonly since: number;
}

export interface Times {
  /** An unchanged lock is taken over after so long. */
  readonly abandonedMs?: number;
  /** Who holds a lock changes it so often. */
  readonly renewMs?: number;
  /** Longest wait for a lock that somebody else holds; default 2,500. */
  readonly patienceMs?: number;
}

type Taken = "free" | "abandoned" | null;

/** What a write that failed left behind is in agreement only where nothing had been written. */
const wroteNothing = (error: unknown): boolean => error instanceof ProblemError || isDuplicateKey(error);

/**
 * Lets one writer at a time change what belongs to a server of chat, in all processes: a MongoDB without a replica set
 * knows no transactions. A lock whose holder died is taken over by who has seen it unchanged for 4 s by their own
 * clock, so that clocks which disagree do no harm; who is only slow renews theirs. Whoever takes over repairs first; every
 * process looks for such locks.
 */
export class Locks {
  readonly #locks: Collections["locks"];
  readonly #repair: (serverId: string) => Promise<void>;
  readonly #abandonedMs: number;
  readonly #renewMs: number;
  readonly #patienceMs: number;
  /** Writers of this process wait for each other here, not at the database. */
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #seen = new Map<string, Sighting>();
  readonly #sweeps: NodeJS.Timeout;
  #sweeping = false;

  constructor(
    { locks }: Collections,
    repair: (serverId: string) => Promise<void>,
    { abandonedMs = ABANDONED_MS, renewMs = RENEW_MS, patienceMs = PATIENCE_MS }: Times = {},
  ) {
    this.#locks = locks;
    this.#repair = repair;
    this.#abandonedMs = abandonedMs;
    this.#renewMs = renewMs;
    this.#patienceMs = patienceMs;
    this.#sweeps = setInterval(() => void this.sweep(), SWEEP_MS).unref();
  }

  async hold<Result>(serverId: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#queues.get(serverId) ?? Promise.resolve();
    const mine = before.then(() => this.#held(serverId, work));
    const settled = mine.catch(() => undefined);
    this.#queues.set(serverId, settled);
    try {
      return await mine;
    } finally {
      if (this.#queues.get(serverId) === settled) this.#queues.delete(serverId);
    }
  }

  /** Takes over what died holders left, so that nobody has to come along for it. */
  async sweep(): Promise<void> {
    if (this.#sweeping) return;
    this.#sweeping = true;
    try {
      for (const { _id: serverId } of await this.#locks.find({}, "_id").lean()) {
        const holder = newId();
        if (await this.#takeOver(serverId, holder)) await this.#mend(serverId, holder);
      }
    } catch {
      // MongoDB is away; the next sweep comes.
    }
    this.#sweeping = false;
  }

  close(): void {
    clearInterval(this.#sweeps);
  }

  async #held<Result>(serverId: string, work: () => Promise<Result>): Promise<Result> {
    const holder = newId();
    const taken = await this.#takeInTime(serverId, holder);
    try {
      const result = await this.#renewing(serverId, holder, async () => {
        if (taken === "abandoned") await this.#repair(serverId);
        return work();
      });
      await this.#release(serverId, holder);
      return result;
    } catch (error) {
      if (wroteNothing(error)) await this.#release(serverId, holder);
      else void this.#mend(serverId, holder);
      throw error;
    }
  }

  async #takeInTime(serverId: string, holder: string): Promise<Taken> {
    const waiting = { everyMs: RETRY_MS, limitMs: this.#patienceMs };
    const taken = await until(() => this.#take(serverId, holder), waiting);
    if (!taken) throw new ProblemError("UNAVAILABLE", "Too many changes at once");
    return taken;
  }

  async #take(serverId: string, holder: string): Promise<Taken> {
    try {
      await this.#locks.create([{ _id: serverId, holder, renewals: 0 }]);
      this.#seen.delete(serverId);
      return "free";
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return (await this.#takeOver(serverId, holder)) ? "abandoned" : null;
    }
  }

  async #takeOver(serverId: string, holder: string): Promise<boolean> {
    const lock = await this.#locks.findById(serverId).lean();
    if (!lock) return false;
    // One that an earlier version took has never been renewed.
    const { holder: current, renewals = null } = lock;
    const seen = this.#seen.get(serverId);
    if (seen?.holder !== current || seen.renewals !== renewals) {
      this.#seen.set(serverId, { holder: current, renewals, since: performance.now() });
      return false;
    }
    if (performance.now() - seen.since < this.#abandonedMs) return false;
    this.#seen.delete(serverId);
    const { modifiedCount } = await this.#locks.updateOne(
      { _id: serverId, holder: current, renewals },
      { $set: { holder } },
    );
    return modifiedCount === 1;
  }

  /** Repairs and then lets go, as soon as MongoDB lets it; after a while others do. */
  async #mend(serverId: string, holder: string): Promise<void> {
    const mend = async (): Promise<void> => {
      if (!(await this.#renew(serverId, holder))) return;
      await this.#renewing(serverId, holder, () => this.#repair(serverId));
      await this.#release(serverId, holder);
    };
    const waiting = { delayMs: MEND_MS, limitMs: this.#abandonedMs / 2, ref: false };
    await retry(mend, waiting).catch(() => undefined);
  }

  /** Does something for which the lock must stay one's own, however slow MongoDB is. */
  async #renewing<Result>(serverId: string, holder: string, work: () => Promise<Result>): Promise<Result> {
    const renew = () => void this.#renew(serverId, holder).catch(() => undefined);
    const renewals = setInterval(renew, this.#renewMs).unref();
    try {
      return await work();
    } finally {
      clearInterval(renewals);
    }
  }

  /** False when it belongs to somebody else by now. */
  async #renew(serverId: string, holder: string): Promise<boolean> {
    const { modifiedCount } = await this.#locks.updateOne(
      { _id: serverId, holder },
      { $inc: { renewals: 1 } },
    );
    return modifiedCount === 1;
  }

  /** One that cannot be let go is taken over in time. */
  async #release(serverId: string, holder: string): Promise<void> {
    await this.#locks.deleteOne({ _id: serverId, holder }).catch(() => undefined);
  }
}
