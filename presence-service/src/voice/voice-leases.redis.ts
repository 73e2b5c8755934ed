import { ProblemError } from "@hearth/contracts";
import type { Redis } from "ioredis";
import { redisCommand } from "../cluster/redis/script.redis.ts";
import type { RedisCommand } from "../cluster/redis/script.redis.ts";
import { decideClaim, decideTakeover, isRefused, matches } from "./voice-decisions.ts";
import type { NewLease } from "./voice-decisions.ts";
import type {
  ClaimOutcome,
  RefusedClaim,
  ReleaseCondition,
  Takeover,
  VoiceClaim,
  VoiceLease,
  VoiceLeases,
} from "./voice-leases.ts";

/** The lease in force, its stored text, and the time of Redis' clock, which all nodes share. */
interface StoredLease {
  readonly text: string;
  readonly lease: VoiceLease | null;
  readonly now: number;
}

/** A change of the lease: the script's operation with its arguments, and the result once the version is known. */
interface LeaseChange<Result> {
  readonly operation: "grant" | "keep" | "release";
  readonly args: readonly string[];
  readonly result: (version: number) => Result;
}

/** A decision on a lease: a change, which fails if another node was faster, or just a result. */
type Decision<Result> = LeaseChange<Result> | { readonly operation: null; readonly result: Result };

const SCRIPT = new URL("voice-leases.lua", import.meta.url);

/** An attempt fails when another node changes the same user's lease meanwhile. */
const MAX_ATTEMPTS = 50;

/** A lease of a new owner is stored without a fence: its version is its fence. */
const parse = (text: string): VoiceLease => {
  const { version, ...lease } = JSON.parse(text) as Omit<VoiceLease, "fence"> & { readonly fence?: number };
  return { fence: version, version, ...lease };
};

const unchanged = <Result>(result: Result): Decision<Result> => ({ operation: null, result });

/**
 * The networked twin. A lease is one JSON text per user. This node decides a change as the memory twin does; the script
 * makes it only if the text has not changed since. Times, versions and fences come from Redis' clock.
 */
export const createRedisVoiceLeases = (redis: Redis, ttlMs: number): VoiceLeases =>
  new RedisVoiceLeases(redis, ttlMs);

class RedisVoiceLeases implements VoiceLeases {
  private readonly command: RedisCommand;
  private readonly ttlMs: number;

  constructor(redis: Redis, ttlMs: number) {
    this.command = redisCommand(redis, SCRIPT);
    this.ttlMs = ttlMs;
  }

  claim(claim: VoiceClaim): Promise<ClaimOutcome> {
    return this.granted(claim.oderId, (current) => decideClaim(current, claim));
  }

  takeOver(takeover: Takeover): Promise<ClaimOutcome | null> {
    return this.granted(takeover.oderId, (current) => decideTakeover(current, takeover));
  }

  release(oderId: string, condition: ReleaseCondition): Promise<VoiceLease | null> {
    return this.change<VoiceLease | null>(oderId, ({ lease }) => {
      if (!lease || !matches(lease, condition)) return unchanged(null);
      const { serverId } = lease;
      return { operation: "release", args: [serverId], result: (version) => ({ ...lease, version }) };
    });
  }

  attach(oderId: string, clientInstanceId: string, connectionId: string): Promise<VoiceLease | null> {
    return this.change<VoiceLease | null>(oderId, ({ lease, now }) =>
      lease?.clientInstanceId === clientInstanceId
        ? keep({ ...lease, connectionId, expiresAt: now + this.ttlMs })
        : unchanged(lease),
    );
  }

  async detach(oderId: string, connectionId: string, graceMs: number): Promise<void> {
    await this.change<VoiceLease | null>(oderId, ({ lease, now }) =>
      lease?.connectionId === connectionId
        ? keep({ ...lease, connectionId: null, expiresAt: now + graceMs })
        : unchanged(lease),
    );
  }

  async renew(oderId: string, connectionId: string): Promise<boolean> {
    const lease = await this.change<VoiceLease | null>(oderId, ({ lease: current, now }) =>
      current?.connectionId === connectionId
        ? keep({ ...current, expiresAt: now + this.ttlMs })
        : unchanged(null),
    );
    return lease !== null;
  }

  async expire(): Promise<readonly VoiceLease[]> {
    const answer = await this.command("expire");
    return answer.flatMap((text, at) =>
      at % 2 === 0 ? [{ ...parse(text), version: Number(answer[at + 1]) }] : [],
    );
  }

  async get(oderId: string): Promise<VoiceLease | null> {
    return (await this.read(oderId)).lease;
  }

  async inServer(serverId: string): Promise<readonly VoiceLease[]> {
    return (await this.command("inServer", serverId)).map(parse);
  }

  private granted<Outcome extends RefusedClaim | NewLease | null>(
    oderId: string,
    decide: (current: VoiceLease | null) => Outcome,
  ): Promise<ClaimOutcome | Extract<Outcome, null>> {
    return this.change<ClaimOutcome | Extract<Outcome, null>>(oderId, ({ lease: previous, now }) => {
      const decision: RefusedClaim | NewLease | null = decide(previous);
      if (decision === null) return unchanged(null as Extract<Outcome, null>);
      if (isRefused(decision)) return unchanged(decision);
      const { fence, ...rest } = decision;
      const lease = { ...rest, ...(fence !== null && { fence }), expiresAt: now + this.ttlMs };
      return {
        operation: "grant",
        args: [previous?.serverId ?? "", JSON.stringify(lease), String(lease.expiresAt), lease.serverId],
        result: (version) => ({
          outcome: "granted",
          lease: { ...lease, version, fence: fence ?? version },
          previous,
        }),
      };
    });
  }

  private async read(oderId: string): Promise<StoredLease> {
    const [text = "", now] = await this.command("read", oderId);
    return { text, lease: text === "" ? null : parse(text), now: Number(now) };
  }

  private async change<Result>(
    oderId: string,
    decide: (stored: StoredLease) => Decision<Result>,
  ): Promise<Result> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const stored = await this.read(oderId);
      const decision = decide(stored);
      if (decision.operation === null) return decision.result;
      const { operation, args, result } = decision;
      const [version] = await this.command(operation, oderId, stored.text, ...args);
      if (version !== undefined) return result(Number(version));
    }
    throw new ProblemError("UNAVAILABLE", "Too many devices want the same voice at once");
  }
}

/** Stores the lease with another connection or expiry, which nobody announces. */
const keep = (lease: VoiceLease): LeaseChange<VoiceLease> => ({
  operation: "keep",
  args: [JSON.stringify(lease), String(lease.expiresAt)],
  result: () => lease,
});
