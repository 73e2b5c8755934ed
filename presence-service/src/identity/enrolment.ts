import { LIMITS } from "@hearth/contracts";
import type { Client, Identity } from "../connection/client.ts";
import { withdraw } from "./leaving.ts";
import type { IdentityNode } from "./identity-node.ts";
import { accountRoom } from "../delivery/rooms.ts";
import type { ConnectionRecord, Registration } from "../cluster/roster/roster.ts";
import { supersede } from "./supersede.ts";
import { detachVoice } from "../voice/voice.ts";
import type { VoiceLease } from "../voice/voice-leases.ts";

/** Makes a connection known to the cluster as `identity`, and ends the older one of the same tuple (rule WS6). */
export const enrol = async (
  node: IdentityNode,
  client: Client,
  identity: Identity,
): Promise<Registration> => {
  const { registeredAs } = client;
  if (registeredAs !== null && registeredAs !== identity.oderId) {
    await withdraw(node, client.connection.id, registeredAs);
  }
  await node.clusterMembership.admitted();
  client.registerAs(identity.oderId);
  const registration = await node.roster.register(
    recordOf(node, client, identity),
    LIMITS.connectionsPerUser,
  );
  if (registration.outcome === "registered" && registration.superseded) {
    supersede(node, registration.superseded);
  }
  return registration;
};

/** The account's voice as it was found, and the last that had been told of it on this node before. */
export interface VoiceFound {
  readonly lease: VoiceLease | null;
  readonly toldBefore: number | undefined;
}

const lastTold = (node: IdentityNode, oderId: string): number | undefined =>
  node.changes.versionOf(accountRoom(oderId), { about: "ownership", oderId });

/** False where the account was told of another owner meanwhile, so that what was found may be older (rule VO2). */
export const isCurrent = (node: IdentityNode, { toldBefore }: VoiceFound, oderId: string): boolean =>
  lastTold(node, oderId) === toldBefore;

/** VO3: gives the device its voice back where it had it, and says who has the account's. */
export const regainVoice = async (
  node: IdentityNode,
  client: Client,
  { oderId, clientInstanceId }: Identity,
  previous: Identity | null,
): Promise<VoiceFound> => {
  const connectionId = client.connection.id;
  if (previous && previous.clientInstanceId !== clientInstanceId) {
    await detachVoice(node, oderId, connectionId);
  }
  const toldBefore = lastTold(node, oderId);
  const lease = await node.leases.attach(oderId, clientInstanceId, connectionId);
  if (lease?.clientInstanceId === clientInstanceId) node.voiceOwners.add(client);
  return { lease, toldBefore };
};

/** Takes back an enrolment whose session ended meanwhile; what was in force before it is in force again. */
export const undo = async (
  node: IdentityNode,
  client: Client,
  identity: Identity,
  previous: Identity | null,
): Promise<void> => {
  if (!previous) {
    await withdraw(node, client.connection.id, identity.oderId);
    return;
  }
  await enrol(node, client, previous);
  await regainVoice(node, client, previous, identity);
};

const recordOf = (node: IdentityNode, client: Client, identity: Identity): ConnectionRecord => {
  const { oderId, connectionScope, clientInstanceId, device, username, displayName } = identity;
  const connectionId = client.connection.id;
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
