import { LIMITS } from "@hearth/contracts";
import type { ConnectionRecord, Registration } from "../cluster/roster/roster.ts";
import type { ConnectionState, Identity } from "../connection/connection-state.ts";
import { accountRoom } from "../delivery/rooms.ts";
import type { VoiceLease } from "../voice/voice-leases.ts";
import { detachVoice } from "../voice/voice.ts";
import { unregister } from "./connection-end.ts";
import type { IdentityNode } from "./identity-node.ts";
import { supersede } from "./supersede.ts";

/** Registers a connection in the cluster as `identity` and supersedes the older one of its tuple (rule WS6). */
export const register = async (
  node: IdentityNode,
  state: ConnectionState,
  identity: Identity,
): Promise<Registration> => {
  const { registeredAs } = state;
  if (registeredAs !== null && registeredAs !== identity.oderId) {
    await unregister(node, state.connection.id, registeredAs);
  }
  await node.clusterMembership.admitted();
  state.registerAs(identity.oderId);
  const registration = await node.roster.register(recordOf(node, state, identity), LIMITS.connectionsPerUser);
  if (registration.outcome === "registered" && registration.superseded) {
    supersede(node, registration.superseded);
  }
  return registration;
};

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
export const attachVoice = async (
  node: IdentityNode,
  state: ConnectionState,
  { oderId, clientInstanceId }: Identity,
  previous: Identity | null,
): Promise<FoundVoice> => {
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
export const undoRegistration = async (
  node: IdentityNode,
  state: ConnectionState,
  identity: Identity,
  previous: Identity | null,
): Promise<void> => {
  if (!previous) {
    await unregister(node, state.connection.id, identity.oderId);
    return;
  }
  await register(node, state, previous);
  await attachVoice(node, state, previous, identity);
};

const recordOf = (node: IdentityNode, state: ConnectionState, identity: Identity): ConnectionRecord => {
  const { oderId, connectionScope, clientInstanceId, device, username, displayName } = identity;
  const connectionId = state.connection.id;
  return {
    connectionId,
    nodeId: node.nodeId,
    oderId,
    connectionScope,
    clientInstanceId,
    device,
    username,
    displayName,
  };
};
