import { CLOSE, type ClientMessage, LIMITS, ProblemError, type VerifiedSession } from "@hearth/contracts";
import { newId } from "@hearth/runtime";
import type { Registered } from "../cluster/roster/roster.ts";
import type { ConnectionState, Identity, Refusal } from "../connection/connection-state.ts";
import { countFailure, refusalOf, troubleOf } from "../connection/refusals.ts";
import { answer, sendRefusal } from "../connection/replies.ts";
import { announceTo } from "../delivery/broadcast.ts";
import type { InboundMessage } from "../transport/connection.ts";
import type { VoiceLease } from "../voice/voice-leases.ts";
import { ownership } from "../voice/voice.ts";
import type { IdentityNode } from "./identity-node.ts";
import { index } from "./indexes.ts";
import { register, isCurrent, attachVoice, undoRegistration } from "./registration.ts";
import { verify } from "./verification.ts";

/** WS3–WS7: proves who a connection is. Every outcome is answered before the promise resolves. */
export const identify = async (
  node: IdentityNode,
  state: ConnectionState,
  inbound: InboundMessage,
  message: ClientMessage<"identify">,
): Promise<void> => {
  const renamed = node.renames.watch();
  const session = await verify(node, message);
  if (!state.connection.open) return;
  if ("kind" in session) {
    fail(node, state, inbound, session);
    return;
  }
  const previous = state.identity;
  if (previous && previous.oderId !== session.userId) {
    throw new ProblemError("CONFLICT", "This connection is identified as another user");
  }
  try {
    const identity = toIdentity(session, message, previous);
    await admit(node, state, inbound, identity, previous, renamed);
  } catch (error) {
    fail(node, state, inbound, troubleOf(error));
  }
};

const toIdentity = (
  session: VerifiedSession,
  message: ClientMessage<"identify">,
  previous: Identity | null,
): Identity => ({
  oderId: session.userId,
  sessionId: session.sessionId,
  sessionExpiresAt: session.expiresAt,
  username: session.username,
  displayName: session.displayName,
  connectionScope: message.connectionScope ?? previous?.connectionScope ?? null,
  clientInstanceId: message.clientInstanceId ?? previous?.clientInstanceId ?? newId(),
  clientInstanceDeclared:
    message.clientInstanceId !== undefined || (previous?.clientInstanceDeclared ?? false),
  device: message.device ?? previous?.device ?? {},
});

const admit = async (
  node: IdentityNode,
  state: ConnectionState,
  inbound: InboundMessage,
  identity: Identity,
  previous: Identity | null,
  renamed: (userId: string) => string | undefined,
): Promise<void> => {
  const registration = await register(node, state, identity);
  if (registration.outcome !== "registered") {
    turnAway(node, state, registration.outcome);
    return;
  }
  let voice = await attachVoice(node, state, identity, previous);
  while (!isCurrent(node, voice, identity.oderId)) voice = await attachVoice(node, state, identity, previous);
  // A connection that closed meanwhile is unregistered when this work is done.
  if (!state.connection.open) return;
  const ended = node.revocations.reasonFor(identity.sessionId);
  if (ended) {
    await undoRegistration(node, state, identity, previous);
    fail(node, state, inbound, refusalOf(ended));
    return;
  }
  const named = withNameNow(node, identity, renamed(identity.oderId));
  index(node, state, named, previous);
  state.refusal = null;
  state.failures = 0;
  state.voiceVersion = voice.lease?.version ?? 0;
  node.metrics.identifies.inc({ outcome: "identified" });
  answer({ state, inbound }, identified(node, state, named, voice.lease));
  state.sendEarly();
  if (!previous) announceToPeers(node, state, identity, registration);
};

/** AB8: all devices of an account show the same name, whenever they identified. */
const withNameNow = (node: IdentityNode, identity: Identity, displayName: string | undefined): Identity => {
  if (displayName === undefined || displayName === identity.displayName) return identity;
  void node.pendingAnnouncements.attempt(() => node.roster.setDisplayName(identity.oderId, displayName));
  return { ...identity, displayName };
};

const turnAway = (node: IdentityNode, state: ConnectionState, outcome: "full" | "superseded"): void => {
  node.metrics.identifies.inc({ outcome });
  if (outcome === "full") {
    state.connection.close(CLOSE.TOO_MANY_CONNECTIONS, "Too many connections of this user");
  } else {
    state.connection.close(CLOSE.SUPERSEDED, "The same device connected again");
  }
};

const identified = (
  node: IdentityNode,
  state: ConnectionState,
  identity: Identity,
  voice: VoiceLease | null,
) => ({
  type: "identified" as const,
  oderId: identity.oderId,
  username: identity.username,
  displayName: identity.displayName,
  connectionId: state.connection.id,
  clientInstanceId: identity.clientInstanceId,
  connectionScope: identity.connectionScope,
  sessionExpiresAt: identity.sessionExpiresAt,
  serverTime: node.clock.now(),
  heartbeatMs: LIMITS.heartbeat.intervalMs,
  limits: CLIENT_LIMITS,
  ...(voice && { voice: ownership(voice) }),
});

const CLIENT_LIMITS = {
  messageBytes: LIMITS.messageBytes,
  accountSyncBytes: LIMITS.frameBytes,
  messagesPerSecond: LIMITS.messageRate.perSecond,
  burst: LIMITS.messageRate.burst,
};

/** WS7: of the open connections, the one that identified first is the responder. */
const announceToPeers = (
  node: IdentityNode,
  state: ConnectionState,
  { clientInstanceId, device }: Identity,
  { others }: Registered,
): void => {
  const connectionId = state.connection.id;
  const news = { type: "account_sync_peer_online", clientInstanceId, connectionId, device };
  const open = others.filter((other) => node.connections.get(other.connectionId)?.connection.open ?? true);
  for (const [position, other] of open.entries()) {
    announceTo(node, other.connectionId, { ...news, responder: position === 0 });
  }
};

const fail = (
  node: IdentityNode,
  state: ConnectionState,
  inbound: InboundMessage,
  refusal: Refusal,
): void => {
  node.metrics.identifies.inc({ outcome: refusal.kind });
  if (!state.identity) {
    state.refusal = refusal;
    state.excuseQueued();
  }
  sendRefusal(state, inbound, refusal.answer);
  countFailure(state, refusal);
};
