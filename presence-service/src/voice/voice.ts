import { type ClientMessage, LIMITS, ProblemError, type VoiceOwnership } from "@hearth/contracts";
import type { Change } from "../cluster/carrier/carrier.ts";
import type { ConnectionState, Identity } from "../connection/connection-state.ts";
import type { Incoming } from "../connection/incoming.ts";
import { acknowledge } from "../connection/replies.ts";
import { announce, broadcast, type DeliveryNode } from "../delivery/broadcast.ts";
import { accountRoom, serverRoom } from "../delivery/rooms.ts";
import { stamped } from "../delivery/stamp.ts";
import { refusalOfDevice } from "./voice-decisions.ts";
import type {
  ClaimOutcome,
  GrantedClaim,
  RefusedClaim,
  ReleaseCondition,
  VoiceLease,
  VoiceLeases,
} from "./voice-leases.ts";

/** The parts of a node that voice uses. */
export interface VoiceNode extends DeliveryNode {
  readonly leases: VoiceLeases;
  /** Connections of this node that own voice, or lately did; their leases are renewed. */
  readonly voiceOwners: Set<ConnectionState>;
}

/** VO1: relays the state of the owner's voice. The first device that sends one becomes the owner. */
export const voiceState = async (
  incoming: Incoming<VoiceNode, ClientMessage<"voice_state">>,
): Promise<void> => {
  const { node, state, identity, message } = incoming;
  const { serverId, channelId, fence, muted, deafened } = message;
  requireIn(state, serverId);
  if (channelId === null) {
    await hangUp(incoming);
    return;
  }
  const { oderId, clientInstanceId } = identity;
  const connectionId = state.connection.id;
  const device = { oderId, clientInstanceId, connectionId };
  const claim = { ...device, serverId, channelId, muted, deafened, fence };
  const { lease, previous } = await completeClaim(incoming, await node.leases.claim(claim));
  if (previous?.channelId !== channelId) announceOwner(node, lease);
  await broadcast(node, {
    room: serverRoom(serverId),
    message: voiceOf(node, identity, lease, message),
    ephemeral: false,
    exceptConnectionId: connectionId,
    change: changeOf("voice", lease),
  });
  acknowledge(incoming, { fence: lease.fence });
};

const hangUp = async (incoming: Incoming<VoiceNode, ClientMessage<"voice_state">>): Promise<void> => {
  const { node, state } = incoming;
  const { oderId, clientInstanceId } = incoming.identity;
  const { serverId, fence } = incoming.message;
  const lease = await node.leases.get(oderId);
  if (lease) {
    const refusal = refusalOfDevice(lease, { clientInstanceId, fence });
    if (refusal) throw problemOf(refusal);
    await releaseVoice(node, oderId, { clientInstanceId, serverId }, state.connection.id);
  }
  acknowledge(incoming, lease ? { fence: lease.fence } : {});
};

/** VO2: moves voice to the device that asks for it. The device must be in the room of the voice. */
export const voiceTakeover = async (
  incoming: Incoming<VoiceNode, ClientMessage<"voice_client_takeover">>,
): Promise<void> => {
  const { node, state, identity, message } = incoming;
  const { serverId, channelId, fence } = message;
  const { oderId, clientInstanceId } = identity;
  const connectionId = state.connection.id;
  const channel = serverId !== undefined && channelId !== undefined ? { serverId, channelId } : null;
  const where = channel ?? (await node.leases.get(oderId));
  if (!where) throw noVoice();
  requireIn(state, where.serverId);
  const takeover = { oderId, clientInstanceId, connectionId, fence, ...(channel && { channel }) };
  const result = await node.leases.takeOver(takeover);
  if (!result) throw noVoice();
  const { lease, previous } = await completeClaim(incoming, result);
  announceOwner(node, lease);
  if (previous?.channelId !== lease.channelId) {
    const news = voiceOf(node, identity, lease);
    announce(node, serverRoom(lease.serverId), news, connectionId, changeOf("voice", lease));
  }
  acknowledge(incoming, { fence: lease.fence });
};

/**
 * Announces the end of the voice in another server, and returns the granted claim. Throws if the claim was refused, or if
 * its connection has left the room meanwhile.
 */
const completeClaim = async (
  { node, state }: Incoming<VoiceNode, unknown>,
  result: ClaimOutcome,
): Promise<GrantedClaim> => {
  if (result.outcome !== "granted") throw problemOf(result);
  const { lease, previous } = result;
  const { oderId, clientInstanceId, serverId } = lease;
  if (previous && previous.serverId !== serverId)
    announceSilence(node, { ...previous, version: lease.version });
  if (!state.isIn(serverId)) {
    if (state.live) await releaseVoice(node, oderId, { clientInstanceId, serverId });
    // A closed connection keeps its voice for the grace period (rule VO3), so the other devices learn of it.
    else announceOwner(node, lease);
    throw new ProblemError("NOT_JOINED");
  }
  node.voiceOwners.add(state);
  return result;
};

const requireIn = (state: ConnectionState, serverId: string): void => {
  if (!state.isIn(serverId)) throw new ProblemError("NOT_JOINED");
};

const noVoice = (): ProblemError => new ProblemError("NOT_FOUND", "No device of yours has active voice");

/** Ends a user's voice if it matches the condition, and announces that to the room and to the user's devices. */
export const releaseVoice = async (
  node: VoiceNode,
  oderId: string,
  condition: ReleaseCondition,
  exceptConnectionId: string | null = null,
): Promise<void> => {
  const lease = await node.leases.release(oderId, condition);
  if (lease) announceEnd(node, lease, exceptConnectionId);
};

/** VO3: ends the leases whose owner did not come back, or whose node died. */
export const expireVoice = async (node: VoiceNode): Promise<void> => {
  for (const lease of await node.leases.expire()) announceEnd(node, lease);
};

/** VO3: starts the grace period of an owner whose connection has closed. */
export const detachVoice = (node: VoiceNode, oderId: string, connectionId: string): Promise<void> =>
  node.leases.detach(oderId, connectionId, LIMITS.voiceGraceMs);

const announceEnd = (node: VoiceNode, lease: VoiceLease, exceptConnectionId: string | null = null): void => {
  announceSilence(node, lease, exceptConnectionId);
  const nobody = { ownerClientInstanceId: null, serverId: null, channelId: null };
  announceToAccount(node, lease, { ...nobody, fence: lease.fence });
};

const announceOwner = (node: VoiceNode, lease: VoiceLease): void =>
  announceToAccount(node, lease, { ...ownership(lease) });

const announceToAccount = (
  node: VoiceNode,
  lease: VoiceLease,
  owner: Readonly<Record<string, unknown>>,
): void => {
  const news = { type: "voice_client_takeover", ...owner };
  announce(node, accountRoom(lease.oderId), news, null, changeOf("ownership", lease));
};

/** Which device has the account's voice, and where. */
export const ownership = ({ clientInstanceId, fence, serverId, channelId }: VoiceLease): VoiceOwnership => ({
  ownerClientInstanceId: clientInstanceId,
  fence,
  serverId,
  channelId,
});

const announceSilence = (
  node: VoiceNode,
  lease: VoiceLease,
  exceptConnectionId: string | null = null,
): void => {
  const { serverId, oderId, fence } = lease;
  const silence = { channelId: null, muted: false, deafened: false };
  const from = { fromUserId: oderId, sentAt: node.clock.now() };
  announce(
    node,
    serverRoom(serverId),
    { type: "voice_state", serverId, ...silence, fence, ...from },
    exceptConnectionId,
    changeOf("voice", lease),
  );
};

/** Orders announcements of all nodes by the version of the lease. */
const changeOf = (about: "voice" | "ownership", { oderId, version }: VoiceLease): Change => ({
  about,
  oderId,
  version,
});

const problemOf = ({ outcome, lease }: RefusedClaim): ProblemError => {
  const code = outcome === "stale" ? "STALE_FENCE" : "VOICE_NOT_OWNER";
  const details = { ownerClientInstanceId: lease.clientInstanceId, fence: lease.fence };
  return new ProblemError(code, undefined, { details });
};

/** The full voice state as the room receives it. */
const voiceOf = (
  node: VoiceNode,
  identity: Identity,
  { serverId, channelId, muted, deafened, fence }: VoiceLease,
  message: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> =>
  stamped(node, identity, { ...message, type: "voice_state", serverId, channelId, muted, deafened, fence });
