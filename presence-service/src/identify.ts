import {
  type AuthInvalidReason,
  authSubjects,
  CLOSE,
  type ClientMessage,
  LIMITS,
  ProblemError,
  type VerifiedSession,
} from "@hearth/contracts";
import { newId } from "@hearth/runtime";
import type { Client, Identity, Refusal } from "./client.ts";
import { index } from "./indexes.ts";
import { announce, type PresenceNode } from "./node.ts";
import { answer, asTrouble, authFailure, errorMessage, sendRefusal } from "./replies.ts";
import type { ConnectionRecord, Registration } from "./roster.ts";
import { connectionRoom } from "./rooms.ts";
import { supersede } from "./supersede.ts";
import type { InboundMessage } from "./transport/connection.ts";
import type { VoiceLease } from "./voice-leases.ts";

type Identify = ClientMessage<"identify">;

/** WS3–WS7: proves who a connection is. Whatever the outcome, it has been answered when the promise resolves. */
export const identify = async (
  node: PresenceNode,
  client: Client,
  inbound: InboundMessage,
  message: Identify,
): Promise<void> => {
  const session = await verify(node, client, inbound, message);
  if (!session || !client.connection.open) return;
  const previous = client.identity;
  if (previous && previous.oderId !== session.userId) {
    throw new ProblemError("CONFLICT", "This connection is identified as another user");
  }
  const identity = toIdentity(session, message, previous);
  try {
    await admit(node, client, inbound, identity, previous);
  } catch (error) {
    fail(node, client, inbound, trouble(error));
  }
};

const verify = async (
  node: PresenceNode,
  client: Client,
  inbound: InboundMessage,
  { token, oderId, device }: Identify,
): Promise<VerifiedSession | null> => {
  const refused = (reason: AuthInvalidReason | "missing"): null => {
    fail(node, client, inbound, refusalOf(reason));
    return null;
  };
  if (token === undefined || token === null || token === "") return refused("missing");
  if (typeof token !== "string") return refused("unknown");
  try {
    const deviceName = device?.name;
    const session = await node.bus.request(authSubjects.verify, { token, ...(deviceName && { deviceName }) });
    const ended = node.revocations.reasonFor(session.sessionId);
    if (ended) return refused(ended);
    return oderId === undefined || oderId === session.userId ? session : refused("mismatch");
  } catch (error) {
    if (error instanceof ProblemError && error.code === "AUTH_INVALID") return refused(reasonOf(error));
    fail(node, client, inbound, trouble(error));
    return null;
  }
};

const admit = async (
  node: PresenceNode,
  client: Client,
  inbound: InboundMessage,
  identity: Identity,
  previous: Identity | null,
): Promise<void> => {
  const registration = await register(node, client, identity);
  if (!registration) return;
  if (registration.superseded) supersede(node, registration.superseded);
  const lease = await node.leases.attach(identity.oderId, identity.clientInstanceId, client.connection.id);
  if (lease) node.voiceOwners.add(client);
  const voice = lease ?? (await node.leases.get(identity.oderId));
  const ended = node.revocations.reasonFor(identity.sessionId);
  if (ended || !client.connection.open) {
    await node.roster.unregister(client.connection.id);
    if (ended) fail(node, client, inbound, refusalOf(ended));
    return;
  }
  index(node, client, identity, previous);
  client.refusal = null;
  client.failures = 0;
  node.metrics.identifies.inc({ outcome: "identified" });
  answer(client, inbound, identified(node, client, identity, voice));
  if (!previous) tellPeers(node, client, identity, registration);
};

const register = async (
  node: PresenceNode,
  client: Client,
  identity: Identity,
): Promise<Registration | null> => {
  const { oderId, connectionScope, clientInstanceId, device, displayName } = identity;
  const record: ConnectionRecord = {
    connectionId: client.connection.id,
    nodeId: node.nodeId,
    oderId,
    connectionScope,
    clientInstanceId,
    device,
    displayName,
  };
  try {
    return await node.roster.register(record, LIMITS.connectionsPerUser);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== "CONFLICT") throw error;
    node.metrics.identifies.inc({ outcome: "too_many_connections" });
    client.connection.close(CLOSE.TOO_MANY_CONNECTIONS, error.message);
    return null;
  }
};

const toIdentity = (session: VerifiedSession, message: Identify, previous: Identity | null): Identity => ({
  oderId: session.userId,
  sessionId: session.sessionId,
  sessionExpiresAt: session.expiresAt,
  displayName: message.displayName ?? session.displayName,
  connectionScope: message.connectionScope ?? previous?.connectionScope ?? null,
  clientInstanceId: message.clientInstanceId ?? previous?.clientInstanceId ?? newId(),
  clientInstanceDeclared:
    message.clientInstanceId !== undefined || (previous?.clientInstanceDeclared ?? false),
  device: message.device ?? previous?.device ?? {},
});

const identified = (node: PresenceNode, client: Client, identity: Identity, lease: VoiceLease | null) => ({
  type: "identified" as const,
  oderId: identity.oderId,
  displayName: identity.displayName,
  connectionId: client.connection.id,
  clientInstanceId: identity.clientInstanceId,
  connectionScope: identity.connectionScope,
  sessionExpiresAt: identity.sessionExpiresAt,
  serverTime: node.clock.now(),
  heartbeatMs: LIMITS.heartbeat.intervalMs,
  limits: CLIENT_LIMITS,
  ...(lease && { voice: ownership(lease) }),
});

const CLIENT_LIMITS = {
  messageBytes: LIMITS.messageBytes,
  accountSyncBytes: LIMITS.frameBytes,
  messagesPerSecond: LIMITS.messageRate.perSecond,
  burst: LIMITS.messageRate.burst,
};

const ownership = ({ clientInstanceId, fence, serverId, channelId }: VoiceLease) => ({
  ownerClientInstanceId: clientInstanceId,
  fence,
  serverId,
  channelId,
});

/** WS7: the one that has been here longest answers for all of them. */
const tellPeers = (
  node: PresenceNode,
  client: Client,
  identity: Identity,
  { others }: Registration,
): void => {
  const { clientInstanceId, device } = identity;
  const news = {
    type: "account_sync_peer_online",
    clientInstanceId,
    connectionId: client.connection.id,
    device,
  };
  for (const [position, other] of others.entries()) {
    announce(node, connectionRoom(other.connectionId), { ...news, responder: position === 0 });
  }
};

const fail = (node: PresenceNode, client: Client, inbound: InboundMessage, refusal: Refusal): void => {
  node.metrics.identifies.inc({ outcome: refusal.kind });
  if (!client.identity) {
    client.refusal = refusal;
    client.excuseQueued();
  }
  sendRefusal(client, inbound, refusal.answer);
  countFailure(client, refusal);
};

/** WS5: five failures end the connection; trouble of ours is none of its failures (rule ER6). */
export const countFailure = (client: Client, refusal: Refusal): void => {
  if (refusal.kind === "trouble") return;
  client.failures += 1;
  if (client.failures >= LIMITS.identify.failures) {
    client.connection.close(CLOSE.REFUSED, "Too many failed attempts to identify");
  }
};

/** The refusal that stands for an authentication failure. */
export const refusalOf = (reason: AuthInvalidReason | "missing"): Refusal => {
  const kind = reason === "missing" ? "auth_required" : "auth_error";
  return { kind, answer: { ...authFailure(kind, reason) } };
};

const trouble = (error: unknown): Refusal => ({
  kind: "trouble",
  answer: { ...errorMessage(asTrouble(error), null) },
});

const reasonOf = ({ extras }: ProblemError): AuthInvalidReason => {
  const { reason } = extras;
  return reason === "expired" || reason === "revoked" ? reason : "unknown";
};
