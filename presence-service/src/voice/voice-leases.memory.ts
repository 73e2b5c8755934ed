import type { Clock } from "@hearth/runtime";
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

/** More than one process hands out in a millisecond, so that versions never run ahead of the clock. */
const VERSIONS_PER_MS = 1_000;

/** The embedded twin. Versions start from the clock, so that they grow across restarts too. */
export const createMemoryVoiceLeases = (clock: Clock, ttlMs: number): VoiceLeases =>
  new MemoryVoiceLeases(clock, ttlMs);

class MemoryVoiceLeases implements VoiceLeases {
  private readonly leases = new Map<string, VoiceLease>();
  private readonly clock: Clock;
  private readonly ttlMs: number;
  private lastVersion = 0;

  constructor(clock: Clock, ttlMs: number) {
    this.clock = clock;
    this.ttlMs = ttlMs;
  }

  async claim(claim: VoiceClaim): Promise<ClaimOutcome> {
    const current = this.leases.get(claim.oderId) ?? null;
    return this.grant(current, decideClaim(current, claim));
  }

  async takeOver(takeover: Takeover): Promise<ClaimOutcome | null> {
    const current = this.leases.get(takeover.oderId) ?? null;
    const decision = decideTakeover(current, takeover);
    return decision && this.grant(current, decision);
  }

  async release(oderId: string, condition: ReleaseCondition): Promise<VoiceLease | null> {
    const lease = this.leases.get(oderId);
    if (!lease || !matches(lease, condition)) return null;
    this.leases.delete(oderId);
    return { ...lease, version: this.nextVersion() };
  }

  async attach(oderId: string, clientInstanceId: string, connectionId: string): Promise<VoiceLease | null> {
    const lease = this.leases.get(oderId);
    if (lease?.clientInstanceId !== clientInstanceId) return lease ?? null;
    return this.put({ ...lease, connectionId });
  }

  async detach(oderId: string, connectionId: string, graceMs: number): Promise<void> {
    const lease = this.leases.get(oderId);
    if (lease?.connectionId !== connectionId) return;
    this.leases.set(oderId, { ...lease, connectionId: null, expiresAt: this.clock.now() + graceMs });
  }

  async renew(oderId: string, connectionId: string): Promise<boolean> {
    const lease = this.leases.get(oderId);
    if (lease?.connectionId !== connectionId) return false;
    this.put(lease);
    return true;
  }

  async expire(): Promise<readonly VoiceLease[]> {
    const now = this.clock.now();
    const ended = [...this.leases.values()].filter((lease) => lease.expiresAt <= now);
    for (const lease of ended) this.leases.delete(lease.oderId);
    return ended.map((lease) => ({ ...lease, version: this.nextVersion() }));
  }

  async get(oderId: string): Promise<VoiceLease | null> {
    return this.leases.get(oderId) ?? null;
  }

  async inServer(serverId: string): Promise<readonly VoiceLease[]> {
    return [...this.leases.values()].filter((lease) => lease.serverId === serverId);
  }

  private grant(previous: VoiceLease | null, decision: RefusedClaim | NewLease): ClaimOutcome {
    if (isRefused(decision)) return decision;
    const version = this.nextVersion();
    const lease = this.put({ ...decision, version, fence: decision.fence ?? version });
    return { outcome: "granted", lease, previous };
  }

  private put(lease: Omit<VoiceLease, "expiresAt">): VoiceLease {
    const kept = { ...lease, expiresAt: this.clock.now() + this.ttlMs };
    this.leases.set(lease.oderId, kept);
    return kept;
  }

  private nextVersion(): number {
    this.lastVersion = Math.max(this.lastVersion + 1, this.clock.now() * VERSIONS_PER_MS);
    return this.lastVersion;
  }
}
