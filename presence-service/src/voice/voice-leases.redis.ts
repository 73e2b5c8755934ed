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

/** The lease in force, its stored text, and the time by Redis' clock, which all nodes share. */
interface Seen {
  readonly text: string;
  readonly lease: VoiceLease | null;
  readonly now: number;
}

/** A change of the lease: the script's operation and what it takes, and the result of it under its version. */
interface LeaseChange<Result> {
  readonly operation: "grant" | "keep" | "release";
  readonly given: readonly string[];
  readonly result: (version: number) => Result;
}

/** The decision on a lease: a change, which is made only if nobody was faster, or just a result. */
type Decision<Result> = LeaseChange<Result> | { readonly operation: null; readonly result: Result };

const SCRIPT = new URL("voice-leases.lua", import.meta.url);

/** An attempt fails when another node changes the same user's lease meanwhile. */
const MAX_ATTEMPTS = 50;

/** A lease whose owner is new is kept without a fence: it is its version. */
const parse = (text: string): VoiceLease => {
  const { version, ...lease } = JSON.parse(text) as Omit<VoiceLease, "fence"> & { readonly fence?: number };
  return { fence: version, version, ...lease };
};

const unchanged = <Result>(result: Result): Decision<Result> => ({ operation: null, result });

/**
 * The networked twin. A lease is one JSON text per user; a change is decided here, as in the memory twin, and put in
 * force only while the text is still the one that was decided on. Times, versions and fences come from Redis' own clock.
 */
export class RedisVoiceLeases implements VoiceLeases {
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
      return { operation: "release", given: [serverId], result: (version) => ({ ...lease, version }) };
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
    return (await this.see(oderId)).lease;
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
        given: [previous?.serverId ?? "", JSON.stringify(lease), String(lease.expiresAt), lease.serverId],
        result: (version) => ({
          outcome: "granted",
          lease: { ...lease, version, fence: fence ?? version },
          previous,
        }),
      };
    });
  }

  private async see(oderId: string): Promise<Seen> {
    const [text = "", now] = await this.command("see", oderId);
    return { text, lease: text === "" ? null : parse(text), now: Number(now) };
  }

  private async change<Result>(oderId: string, decide: (seen: Seen) => Decision<Result>): Promise<Result> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const seen = await this.see(oderId);
      const decision = decide(seen);
      if (decision.operation === null) return decision.result;
      const { operation, given, result } = decision;
      const [version] = await this.command(operation, oderId, seen.text, ...given);
      if (version !== undefined) return result(Number(version));
    }
    throw new ProblemError("UNAVAILABLE", "Too many devices want the same voice at once");
  }
}

/** The same lease with another connection or expiry, which is not announced. */
const keep = (lease: VoiceLease): LeaseChange<VoiceLease> => ({
  operation: "keep",
  given: [JSON.stringify(lease), String(lease.expiresAt)],
  result: () => lease,
});
