import { CLOSE, LIMITS } from "@hearth/contracts";
import type { ConnectionRecord, Registration } from "../cluster/roster/roster.ts";
import { announceTo, type DeliveryNode } from "../delivery/broadcast.ts";
import { accountRoom } from "../delivery/rooms.ts";
import type { VoiceLease } from "../voice/voice-leases.ts";
import { detachVoice } from "../voice/voice.ts";
import { unregister } from "./connection-end.ts";
import type { IdentityChange, IdentityNode } from "./identity-node.ts";

/** Registers a connection in the cluster and supersedes the older one with the same tuple (rule WS6). */
export const register = async (change: IdentityChange): Promise<Registration> => {
  const { node, state, identity } = change;
  const { registeredAs } = state;
  if (registeredAs !== null && registeredAs !== identity.oderId) {
    await unregister(node, state.connection.id, registeredAs);
  }
  await node.clusterMembership.untilJoined();
  state.registerAs(identity.oderId);
  const registration = await node.roster.register(recordOf(change), LIMITS.connectionsPerUser);
  if (registration.outcome === "registered" && registration.superseded) {
    supersede(node, registration.superseded);
  }
  return registration;
};

/** WS6: the close of a connection whose tuple a newer one has taken. */
export const SUPERSEDED = { kind: CLOSE.SUPERSEDED, text: "The same device connected again" };

/** WS6: closes the older connection of a tuple, on this node or on the one that holds it. */
export const supersede = (node: DeliveryNode, { connectionId, clientInstanceId }: ConnectionRecord): void =>
  announceTo(node, connectionId, { type: "superseded", clientInstanceId }, SUPERSEDED);

/** The account's voice, and the version that was last announced on this node before it was read. */
export interface FoundVoice {
  readonly lease: VoiceLease | null;
  readonly versionBefore: number | undefined;
}

const announcedVersion = (node: IdentityNode, oderId: string): number | undefined =>
  node.changes.versionOf(accountRoom(oderId), { about: "ownership", oderId });

/** False if another owner was announced meanwhile, so that the lease may be outdated (rule VO2). */
export const isCurrent = (node: IdentityNode, { versionBefore }: FoundVoice, oderId: string): boolean =>
  announcedVersion(node, oderId) === versionBefore;

/** VO3: gives the device its voice back if it had it. Returns the account's voice. */
export const attachVoice = async ({
  node,
  state,
  identity: { oderId, clientInstanceId },
  previous,
}: IdentityChange): Promise<FoundVoice> => {
  const connectionId = state.connection.id;
  if (previous && previous.clientInstanceId !== clientInstanceId) {
    await detachVoice(node, oderId, connectionId);
  }
  const versionBefore = announcedVersion(node, oderId);
  const lease = await node.leases.attach(oderId, clientInstanceId, connectionId);
  if (lease?.clientInstanceId === clientInstanceId) node.voiceOwners.add(state);
  return { lease, versionBefore };
};

/** Undoes a registration whose session ended meanwhile, and restores the previous identity. */
export const undoRegistration = async (change: IdentityChange): Promise<void> => {
  const { node, state, identity, previous } = change;
  if (!previous) {
    await unregister(node, state.connection.id, identity.oderId);
    return;
  }
  const restored = { node, state, identity: previous, previous: identity };
  await register(restored);
  await attachVoice(restored);
};

const recordOf = ({ node, state, identity }: IdentityChange): ConnectionRecord => {
  const { oderId, connectionScope, clientInstanceId, device, username, displayName } = identity;
  return {
    connectionId: state.connection.id,
    nodeId: node.nodeId,
    oderId,
    connectionScope,
    clientInstanceId,
    device,
    username,
    displayName,
  };
};
