import type { ReleaseCondition, Takeover, VoiceClaim, VoiceLease } from "./voice-leases.ts";
import type { RefusedClaim } from "./voice-leases.ts";

/** A lease that is to be put in force under the next version; without a `fence` that is its fence as well. */
export type NewLease = Omit<VoiceLease, "expiresAt" | "fence" | "version"> & {
  readonly fence: number | null;
};

const isStale = (lease: VoiceLease, fence: number | undefined): boolean =>
  fence !== undefined && fence < lease.fence;

/** VO1: decides a claim against the lease in force. */
export function decideClaim(current: VoiceLease | null, claim: VoiceClaim): RefusedClaim | NewLease {
  if (current && isStale(current, claim.fence)) return { outcome: "stale", lease: current };
  if (current && current.clientInstanceId !== claim.clientInstanceId)
    return { outcome: "not_owner", lease: current };
  const { oderId, clientInstanceId, connectionId, serverId, channelId } = claim;
  return {
    oderId,
    clientInstanceId,
    connectionId,
    serverId,
    channelId,
    muted: claim.muted ?? current?.muted ?? false,
    deafened: claim.deafened ?? current?.deafened ?? false,
    fence: current?.fence ?? null,
  };
}

/** VO2: decides a takeover; `null` when there is nothing to take. */
export function decideTakeover(
  current: VoiceLease | null,
  takeover: Takeover,
): RefusedClaim | NewLease | null {
  if (current && isStale(current, takeover.fence)) return { outcome: "stale", lease: current };
  const channel = takeover.channel ?? current;
  if (!channel) return null;
  const { oderId, clientInstanceId, connectionId } = takeover;
  return {
    oderId,
    clientInstanceId,
    connectionId,
    serverId: channel.serverId,
    channelId: channel.channelId,
    muted: current?.muted ?? false,
    deafened: current?.deafened ?? false,
    fence: current?.clientInstanceId === clientInstanceId ? current.fence : null,
  };
}

export const isRefused = (decision: RefusedClaim | NewLease): decision is RefusedClaim =>
  "outcome" in decision;

/** What is left out of the condition matches anything. */
export const matches = (lease: VoiceLease, { clientInstanceId, serverId }: ReleaseCondition): boolean =>
  (clientInstanceId === undefined || lease.clientInstanceId === clientInstanceId) &&
  (serverId === undefined || lease.serverId === serverId);
