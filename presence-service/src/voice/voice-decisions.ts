import type { ReleaseCondition, Takeover, VoiceClaim, VoiceLease } from "./voice-leases.ts";
import type { RefusedClaim } from "./voice-leases.ts";

/** A lease that takes effect under the next version. If `fence` is `null`, that version is its fence as well. */
export type NewLease = Omit<VoiceLease, "expiresAt" | "fence" | "version"> & {
  readonly fence: number | null;
};

const isStale = (lease: VoiceLease, fence: number | undefined): boolean =>
  fence !== undefined && fence < lease.fence;

/** VO1: why a device may not change the lease in force; `null` if it may. */
export function refusalOfDevice(
  lease: VoiceLease,
  { clientInstanceId, fence }: Pick<VoiceClaim, "clientInstanceId" | "fence">,
): RefusedClaim | null {
  if (isStale(lease, fence)) return { outcome: "stale", lease };
  return lease.clientInstanceId === clientInstanceId ? null : { outcome: "not_owner", lease };
}

/** VO1: decides a claim against the lease in force. */
export function decideClaim(current: VoiceLease | null, claim: VoiceClaim): RefusedClaim | NewLease {
  const refusal = current && refusalOfDevice(current, claim);
  if (refusal) return refusal;
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

/** VO2: decides a takeover; `null` if there is no voice to take over and no channel is named. */
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

/** Fields that the condition leaves out match anything. */
export const matches = (lease: VoiceLease, { clientInstanceId, serverId }: ReleaseCondition): boolean =>
  (clientInstanceId === undefined || lease.clientInstanceId === clientInstanceId) &&
  (serverId === undefined || lease.serverId === serverId);
