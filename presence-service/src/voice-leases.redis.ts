import { ProblemError } from "@hearth/contracts";
import type { Redis } from "ioredis";
import { redisCommand } from "./script.redis.ts";
import type { RedisCommand } from "./script.redis.ts";
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

/** What is in force, the text it is kept as, and the time of the one clock that all nodes share. */
interface Seen {
  readonly text: string;
  readonly lease: VoiceLease | null;
  readonly now: number;
}

/** Puts a lease in force, or ends it (`next` `null`), where nobody was faster. */
type Decide<Result> = (seen: Seen) => { readonly result: Result; readonly next?: VoiceLease | null };

/** Each round was lost to another node's change of the same user's lease. */
const ROUNDS = 50;

const parse = (text: string): VoiceLease => JSON.parse(text) as VoiceLease;

/**
 * The networked twin. A lease is one JSON text per user; a change is decided here, as in the memory twin, and put in
 * force only while the text is still the one that was decided on. Times and fences come from Redis' own clock.
 */
export class RedisVoiceLeases implements VoiceLeases {
  private readonly command: RedisCommand;
  private readonly ttlMs: number;

  constructor(redis: Redis, ttlMs: number) {
    this.command = redisCommand(redis, "voice-leases");
    this.ttlMs = ttlMs;
  }

  claim(claim: VoiceClaim): Promise<ClaimOutcome> {
    return this.granted(claim.oderId, (current) => decideClaim(current, claim));
  }

  takeOver(takeover: Takeover): Promise<ClaimOutcome | null> {
    return this.granted(takeover.oderId, (current) => decideTakeover(current, takeover));
  }

  release(oderId: string, condition: ReleaseCondition): Promise<VoiceLease | null> {
    return this.change(oderId, ({ lease }) =>
      lease && matches(lease, condition) ? { result: lease, next: null } : { result: null },
    );
  }

  attach(oderId: string, clientInstanceId: string, connectionId: string): Promise<VoiceLease | null> {
    return this.change(oderId, ({ lease, now }) => {
      if (lease?.clientInstanceId !== clientInstanceId) return { result: lease };
      const next = { ...lease, connectionId, expiresAt: now + this.ttlMs };
      return { result: next, next };
    });
  }

  async detach(oderId: string, connectionId: string, graceMs: number): Promise<void> {
    await this.change(oderId, ({ lease, now }) => {
      if (lease?.connectionId !== connectionId) return { result: undefined };
      return { result: undefined, next: { ...lease, connectionId: null, expiresAt: now + graceMs } };
    });
  }

  renew(oderId: string, connectionId: string): Promise<boolean> {
    return this.change<boolean>(oderId, ({ lease, now }) => {
      if (lease?.connectionId !== connectionId) return { result: false };
      return { result: true, next: { ...lease, expiresAt: now + this.ttlMs } };
    });
  }

  async expire(): Promise<readonly VoiceLease[]> {
    return (await this.command("expire")).map(parse);
  }

  async get(oderId: string): Promise<VoiceLease | null> {
    return (await this.see(oderId)).lease;
  }

  async inServer(serverId: string): Promise<readonly VoiceLease[]> {
    return (await this.command("inServer", serverId)).map(parse);
  }

  private granted<Decision extends RefusedClaim | NewLease | null>(
    oderId: string,
    decide: (current: VoiceLease | null) => Decision,
  ): Promise<ClaimOutcome | Extract<Decision, null>> {
    return this.change<ClaimOutcome | Extract<Decision, null>>(oderId, async ({ lease: previous, now }) => {
      const decision: RefusedClaim | NewLease | null = decide(previous);
      if (decision === null) return { result: null as Extract<Decision, null> };
      if (isRefused(decision)) return { result: decision };
      const fence = decision.fence ?? Number((await this.command("fence"))[0]);
      const lease = { ...decision, fence, expiresAt: now + this.ttlMs };
      return { result: { outcome: "granted", lease, previous }, next: lease };
    });
  }

  private async see(oderId: string): Promise<Seen> {
    const [text = "", now] = await this.command("see", oderId);
    return { text, lease: text === "" ? null : parse(text), now: Number(now) };
  }

  private async change<Result>(
    oderId: string,
    decide: (seen: Seen) => ReturnType<Decide<Result>> | Promise<ReturnType<Decide<Result>>>,
  ): Promise<Result> {
    for (let round = 0; round < ROUNDS; round++) {
      const seen = await this.see(oderId);
      const { result, next } = await decide(seen);
      if (next === undefined) return result;
      const put = next === null ? [] : [JSON.stringify(next), String(next.expiresAt), next.serverId];
      const [done] = await this.command("put", oderId, seen.text, seen.lease?.serverId ?? "", ...put);
      if (done === "1") return result;
    }
    throw new ProblemError("UNAVAILABLE", "Too many devices want the same voice at once");
  }
}
