import {
  type AuthFailure,
  type AuthInvalidReason,
  ProblemError,
  type ServerMessage,
  type SocketError,
} from "@hearth/contracts";
import type { InboundMessage } from "../transport/connection.ts";
import { createFrame } from "../transport/frame.ts";
import type { ConnectionState } from "./connection-state.ts";
import type { Exchange } from "./incoming.ts";

/** The parts of a message that its answer echoes (rule ER2). */
const echo = (message: InboundMessage): { requestId?: string; inReplyTo?: string; serverId?: string } => {
  const { requestId, type, serverId } = message.body;
  return {
    ...(typeof requestId === "string" && requestId.length <= 128 ? { requestId } : {}),
    ...(typeof type === "string" && type.length <= 128 ? { inReplyTo: type } : {}),
    ...(typeof serverId === "string" && serverId.length <= 128 ? { serverId } : {}),
  };
};

/** Tells one connection something. */
export const notify = (state: ConnectionState, message: ServerMessage): void =>
  state.connection.send(createFrame(message));

/** Answers a message with one of its own kind, and its Socket.IO acknowledgement with the same. */
export const answer = ({ state, inbound }: Exchange, reply: ServerMessage): void => {
  const { requestId } = echo(inbound);
  const full = requestId === undefined ? reply : { ...reply, requestId };
  state.connection.send(createFrame(full));
  inbound.acknowledge?.(full);
};

/** WS9: `ack`, for whoever asked for one. */
export const acknowledge = ({ state, inbound }: Exchange, extras: { readonly fence?: number } = {}): void => {
  const { requestId, inReplyTo } = echo(inbound);
  if (requestId === undefined && !inbound.acknowledge) return;
  const ack = {
    type: "ack" as const,
    inReplyTo: inReplyTo ?? "",
    ...(requestId && { requestId }),
    ...extras,
  };
  if (requestId !== undefined) state.connection.send(createFrame(ack));
  inbound.acknowledge?.(ack);
};

/** ER2. Details such as the owner of `VOICE_NOT_OWNER` become members of the error. */
export const errorMessage = (problem: ProblemError, to: InboundMessage | null): SocketError => {
  const { retryAfterMs, errors, details } = problem.extras;
  return {
    ...details,
    type: "error",
    code: problem.code,
    message: problem.message,
    retryable: problem.retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(errors ? { errors } : {}),
    ...(to ? echo(to) : {}),
  };
};

/** Refuses a message. */
export const refuse = (state: ConnectionState, to: InboundMessage | null, problem: ProblemError): void => {
  const error = errorMessage(problem, to);
  state.connection.send(createFrame(error));
  to?.acknowledge?.(error);
};

const AUTH_TEXT: Record<AuthFailure["reason"], string> = {
  missing: "Identify with a session token first",
  unknown: "The session token is not known here",
  expired: "The session has expired",
  revoked: "The session was ended",
  mismatch: "oderId is not the user of the token",
};

/** WS5 */
export const authFailure = (
  type: AuthFailure["type"],
  reason: AuthInvalidReason | "missing",
): AuthFailure => ({
  type,
  code: reason === "missing" ? "AUTH_REQUIRED" : "AUTH_INVALID",
  message: AUTH_TEXT[reason],
  reason,
});

/** Sends an authentication failure in answer to a message. */
export const sendRefusal = (
  state: ConnectionState,
  to: InboundMessage,
  refusal: Readonly<Record<string, unknown>> & { readonly type: string },
): void => {
  const full = { ...refusal, ...echo(to) };
  state.connection.send(createFrame(full));
  to.acknowledge?.(full);
};

/** ER6: an internal failure is retryable, never an authentication failure. */
export const asTrouble = (error: unknown): ProblemError =>
  error instanceof ProblemError && error.retryable ? error : new ProblemError("UNAVAILABLE");
