import { CLOSE, type ClientMessage, LIMITS, ProblemError, type VerifiedSession } from "@hearth/contracts";
import { newId } from "@hearth/runtime";
import type { ConnectionRecord, Registered } from "../cluster/roster/roster.ts";
import type { Identity, Refusal } from "../connection/connection-state.ts";
import type { Exchange } from "../connection/incoming.ts";
import { countFailure, internalFailure, refusalOf } from "../connection/refusals.ts";
import { answer, sendRefusal } from "../connection/replies.ts";
import { announceTo } from "../delivery/broadcast.ts";
import type { VoiceLease } from "../voice/voice-leases.ts";
import { ownership } from "../voice/voice.ts";
import type { IdentityChange, IdentityNode } from "./identity-node.ts";
import { indexConnection } from "./indexes.ts";
import { attachVoice, isCurrent, register, SUPERSEDED, undoRegistration } from "./registration.ts";
import { verify } from "./verification.ts";

/** An `identify` that is being handled. */
export interface IdentifyRequest extends Exchange {
  readonly node: IdentityNode;
  readonly message: ClientMessage<"identify">;
}

/** An `identify` whose token auth has accepted. */
interface Admission extends IdentifyRequest, IdentityChange {
  /** AB8: returns the user's display name if it changed since the request began. */
  readonly renamed: (userId: string) => string | undefined;
}

/** WS3–WS7: establishes who a connection is. Answers every outcome before the promise resolves. */
export const identify = async (request: IdentifyRequest): Promise<void> => {
  const { node, state, message } = request;
  const renamed = node.renames.watch();
  const session = await verify(node, message);
  if (!state.connection.open) return;
  if ("kind" in session) {
    fail(request, session);
    return;
  }
  const previous = state.identity;
  if (previous && previous.oderId !== session.userId) {
    throw new ProblemError("CONFLICT", "This connection is identified as another user");
  }
  try {
    await admit({ ...request, identity: identityOf(session, message, previous), previous, renamed });
  } catch (error) {
    fail(request, internalFailure(error));
  }
};

/** WS3: fields that a second identify leaves out stay as they were. */
const identityOf = (
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

const admit = async (admission: Admission): Promise<void> => {
  const { node, state, identity } = admission;
  const registration = await register(admission);
  if (registration.outcome !== "registered") {
    turnAway(admission, registration.outcome);
    return;
  }
  let voice = await attachVoice(admission);
  while (!isCurrent(node, voice, identity.oderId)) voice = await attachVoice(admission);
  // A connection that closed meanwhile is unregistered when this work is done.
  if (!state.connection.open) return;
  const ended = node.revocations.reasonFor(identity.sessionId);
  if (ended) {
    await undoRegistration(admission);
    fail(admission, refusalOf(ended));
    return;
  }
  confirm(admission, registration, voice.lease);
};

/** Puts the identity in force and answers. Waits for nothing, so that no other message comes in between. */
const confirm = (admission: Admission, { others }: Registered, voice: VoiceLease | null): void => {
  const { node, state, previous } = admission;
  const identity = withCurrentName(admission);
  indexConnection({ ...admission, identity });
  state.refusal = null;
  state.failures = 0;
  state.voiceVersion = voice?.version ?? 0;
  node.metrics.identifies.inc({ outcome: "identified" });
  answer(admission, identified(identity, voice, state.connection.id, node.clock.now()));
  state.sendEarly();
  if (!previous) announceToPeers(admission, others);
};

/** AB8: all devices of an account show the same name, whenever they identified. */
const withCurrentName = ({ node, identity, renamed }: Admission): Identity => {
  const displayName = renamed(identity.oderId);
  if (displayName === undefined || displayName === identity.displayName) return identity;
  void node.pendingAnnouncements.attempt(() => node.roster.setDisplayName(identity.oderId, displayName));
  return { ...identity, displayName };
};

const turnAway = ({ node, state }: Admission, outcome: "full" | "superseded"): void => {
  node.metrics.identifies.inc({ outcome });
  if (outcome === "full") {
    state.connection.close(CLOSE.TOO_MANY_CONNECTIONS, "Too many connections of this user");
  } else {
    state.connection.close(SUPERSEDED.kind, SUPERSEDED.text);
  }
};

const identified = (
  identity: Identity,
  voice: VoiceLease | null,
  connectionId: string,
  serverTime: number,
) => ({
  type: "identified" as const,
  oderId: identity.oderId,
  username: identity.username,
  displayName: identity.displayName,
  connectionId,
  clientInstanceId: identity.clientInstanceId,
  connectionScope: identity.connectionScope,
  sessionExpiresAt: identity.sessionExpiresAt,
  serverTime,
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
const announceToPeers = ({ node, state, identity }: Admission, others: readonly ConnectionRecord[]): void => {
  const { clientInstanceId, device } = identity;
  const connectionId = state.connection.id;
  const news = { type: "account_sync_peer_online", clientInstanceId, connectionId, device };
  const open = others.filter((other) => node.connections.get(other.connectionId)?.connection.open ?? true);
  for (const [position, other] of open.entries()) {
    announceTo(node, other.connectionId, { ...news, responder: position === 0 });
  }
};

const fail = (request: IdentifyRequest, refusal: Refusal): void => {
  const { node, state } = request;
  node.metrics.identifies.inc({ outcome: refusal.kind });
  if (!state.identity) {
    state.refusal = refusal;
    state.excuseQueued();
  }
  sendRefusal(request, refusal);
  countFailure(state, refusal);
};
