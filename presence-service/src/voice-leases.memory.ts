import type { Clock } from "@hearth/runtime";
import type {
  ClaimOutcome,
  ReleaseCondition,
  Takeover,
  VoiceClaim,
  VoiceLease,
  VoiceLeases,
} from "./voice-leases.ts";

/** More than can be given out in a millisecond, so that the clock is always ahead of the count. */
const FENCES_PER_MS = 1_000;

/** The embedded twin. Fences start from the clock, so that they grow across restarts too. */
export class MemoryVoiceLeases implements VoiceLeases {
  private readonly leases = new Map<string, VoiceLease>();
  private readonly clock: Clock;
  private readonly ttlMs: number;
  private lastFence = 0;

  constructor(clock: Clock, ttlMs: number) {
    this.clock = clock;
    this.ttlMs = ttlMs;
  }

  async claim(claim: VoiceClaim): Promise<ClaimOutcome> {
    const current = this.leases.get(claim.oderId) ?? null;
    const refused = current && refusal(current, claim);
    if (refused) return refused;
    const lease = this.put({
      ...claim,
      muted: claim.muted ?? current?.muted ?? false,
      deafened: claim.deafened ?? current?.deafened ?? false,
      fence: current?.fence ?? this.nextFence(),
    });
    return { outcome: "granted", lease, previous: current };
  }

  async takeOver(takeover: Takeover): Promise<ClaimOutcome | null> {
    const current = this.leases.get(takeover.oderId) ?? null;
    if (current && isStale(current, takeover.fence)) return { outcome: "stale", lease: current };
    const place = takeover.place ?? current;
    if (!place) return null;
    const { oderId, clientInstanceId, connectionId } = takeover;
    const same = current?.clientInstanceId === clientInstanceId;
    const lease = this.put({
      oderId,
      clientInstanceId,
      connectionId,
      serverId: place.serverId,
      channelId: place.channelId,
      muted: current?.muted ?? false,
      deafened: current?.deafened ?? false,
      fence: current && same ? current.fence : this.nextFence(),
    });
    return { outcome: "granted", lease, previous: current };
  }

  async release(oderId: string, condition: ReleaseCondition): Promise<VoiceLease | null> {
    const lease = this.leases.get(oderId);
    if (!lease) return null;
    if (condition.clientInstanceId !== undefined && lease.clientInstanceId !== condition.clientInstanceId)
      return null;
    if (condition.serverId !== undefined && lease.serverId !== condition.serverId) return null;
    this.leases.delete(oderId);
    return lease;
  }

  async attach(oderId: string, clientInstanceId: string, connectionId: string): Promise<VoiceLease | null> {
    const lease = this.leases.get(oderId);
    if (lease?.clientInstanceId !== clientInstanceId) return null;
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
    return ended;
  }

  async get(oderId: string): Promise<VoiceLease | null> {
    return this.leases.get(oderId) ?? null;
  }

  async inServer(serverId: string): Promise<readonly VoiceLease[]> {
    return [...this.leases.values()].filter((lease) => lease.serverId === serverId);
  }

  private put(lease: Omit<VoiceLease, "expiresAt">): VoiceLease {
    const kept = { ...lease, expiresAt: this.clock.now() + this.ttlMs };
    this.leases.set(lease.oderId, kept);
    return kept;
  }

  private nextFence(): number {
    this.lastFence = Math.max(this.lastFence + 1, this.clock.now() * FENCES_PER_MS);
    return this.lastFence;
  }
}

const isStale = (lease: VoiceLease, fence: number | undefined): boolean =>
  fence !== undefined && fence < lease.fence;

const refusal = (lease: VoiceLease, claim: VoiceClaim): ClaimOutcome | null => {
  if (isStale(lease, claim.fence)) return { outcome: "stale", lease };
  return lease.clientInstanceId === claim.clientInstanceId ? null : { outcome: "not_owner", lease };
};
