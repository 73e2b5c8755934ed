import { type ClientMessage, LIMITS, ProblemError } from "@hearth/contracts";
import type { Client, Identity } from "./client.ts";
import { announce, broadcast, type PresenceNode } from "./node.ts";
import { acknowledge } from "./replies.ts";
import { accountRoom, serverRoom } from "./rooms.ts";
import { stamped } from "./stamp.ts";
import type { InboundMessage } from "./transport/connection.ts";
import type { ClaimOutcome, ReleaseCondition, VoiceLease } from "./voice-leases.ts";

/** VO1: relays the state of the owner's voice, and makes the first to send one the owner. */
export const voiceState = async (
  node: PresenceNode,
  client: Client,
  identity: Identity,
  inbound: InboundMessage,
  message: ClientMessage<"voice_state">,
): Promise<void> => {
  const { serverId, channelId, fence } = message;
  if (!client.isIn(serverId)) throw new ProblemError("NOT_JOINED");
  const { oderId, clientInstanceId } = identity;
  if (channelId === null) {
    await hangUp(node, client, identity, inbound, message);
    return;
  }
  const result = await node.leases.claim({
    oderId,
    clientInstanceId,
    connectionId: client.connection.id,
    serverId,
    channelId,
    muted: message.muted ?? false,
    deafened: message.deafened ?? false,
    fence,
  });
  if (result.outcome !== "granted") throw refusedClaim(result);
  const { lease, previous } = result;
  node.voiceOwners.add(client);
  if (!previous) announceOwner(node, lease);
  if (previous && previous.serverId !== serverId) announceSilence(node, previous);
  const relayed = { ...stamped(node, identity, message), fence: lease.fence };
  await broadcast(node, parcel(serverId, relayed, client));
  acknowledge(client, inbound, { fence: lease.fence });
};

const hangUp = async (
  node: PresenceNode,
  client: Client,
  identity: Identity,
  inbound: InboundMessage,
  message: ClientMessage<"voice_state">,
): Promise<void> => {
  const current = await node.leases.get(identity.oderId);
  if (current) {
    const stale = message.fence !== undefined && message.fence < current.fence;
    if (stale) throw refusedClaim({ outcome: "stale", lease: current });
    if (current.clientInstanceId !== identity.clientInstanceId) {
      throw refusedClaim({ outcome: "not_owner", lease: current });
    }
    const mine = { clientInstanceId: identity.clientInstanceId };
    await releaseVoice(node, identity.oderId, mine, client.connection.id);
  }
  acknowledge(client, inbound, current ? { fence: current.fence } : {});
};

/** VO2: moves voice to the device that asks. */
export const voiceTakeover = async (
  node: PresenceNode,
  client: Client,
  identity: Identity,
  inbound: InboundMessage,
  { serverId, channelId, fence }: ClientMessage<"voice_client_takeover">,
): Promise<void> => {
  const named = serverId !== undefined && channelId !== undefined;
  if (named && !client.isIn(serverId)) throw new ProblemError("NOT_JOINED");
  const { oderId, clientInstanceId } = identity;
  const result = await node.leases.takeOver({
    oderId,
    clientInstanceId,
    connectionId: client.connection.id,
    fence,
    ...(named && { place: { serverId, channelId } }),
  });
  if (!result) throw new ProblemError("NOT_FOUND", "No device of yours has active voice");
  if (result.outcome !== "granted") throw refusedClaim(result);
  const { lease, previous } = result;
  node.voiceOwners.add(client);
  if (previous && previous.serverId !== lease.serverId) announceSilence(node, previous);
  announceOwner(node, lease);
  acknowledge(client, inbound, { fence: lease.fence });
};

/** Ends a user's voice where it matches, and tells the room and the user's devices. */
export const releaseVoice = async (
  node: PresenceNode,
  oderId: string,
  condition: ReleaseCondition,
  exceptConnectionId: string | null = null,
): Promise<void> => {
  const lease = await node.leases.release(oderId, condition);
  if (lease) announceEnd(node, lease, exceptConnectionId);
};

/** VO3: the leases whose owner stayed away, or whose node died. */
export const expireVoice = async (node: PresenceNode): Promise<void> => {
  for (const lease of await node.leases.expire()) announceEnd(node, lease);
};

/** VO3: the owner's connection is gone; it has a while to come back. */
export const detachVoice = (node: PresenceNode, oderId: string, connectionId: string): Promise<void> =>
  node.leases.detach(oderId, connectionId, LIMITS.voiceGraceMs);

const announceEnd = (
  node: PresenceNode,
  lease: VoiceLease,
  exceptConnectionId: string | null = null,
): void => {
  announceSilence(node, lease, exceptConnectionId);
  announce(node, accountRoom(lease.oderId), {
    type: "voice_client_takeover",
    ownerClientInstanceId: null,
    fence: lease.fence,
    serverId: null,
    channelId: null,
  });
};

const announceOwner = (
  node: PresenceNode,
  { oderId, clientInstanceId, fence, serverId, channelId }: VoiceLease,
): void =>
  announce(node, accountRoom(oderId), {
    type: "voice_client_takeover",
    ownerClientInstanceId: clientInstanceId,
    fence,
    serverId,
    channelId,
  });

const announceSilence = (
  node: PresenceNode,
  { serverId, oderId, fence }: VoiceLease,
  exceptConnectionId: string | null = null,
): void => {
  const silence = { channelId: null, muted: false, deafened: false };
  const from = { fromUserId: oderId, sentAt: node.clock.now() };
  announce(
    node,
    serverRoom(serverId),
    { type: "voice_state", serverId, ...silence, fence, ...from },
    exceptConnectionId,
  );
};

const refusedClaim = ({ outcome, lease }: Exclude<ClaimOutcome, { outcome: "granted" }>): ProblemError => {
  const code = outcome === "stale" ? "STALE_FENCE" : "VOICE_NOT_OWNER";
  const details = { ownerClientInstanceId: lease.clientInstanceId, fence: lease.fence };
  return new ProblemError(code, undefined, { details });
};

const parcel = (serverId: string, message: Readonly<Record<string, unknown>>, client: Client) => ({
  room: serverRoom(serverId),
  message,
  ephemeral: false,
  exceptConnectionId: client.connection.id,
});
