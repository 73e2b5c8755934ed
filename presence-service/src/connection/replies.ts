import {
  type AuthFailure,
  type AuthInvalidReason,
  ProblemError,
  type ServerMessage,
  type SocketError,
} from "@hearth/contracts";
import type { InboundMessage } from "../transport/connection.ts";
import { createFrame } from "../transport/frame.ts";
import type { ConnectionState, Refusal } from "./connection-state.ts";
import type { Arrival, Exchange } from "./incoming.ts";

/** ER2: the fields of a message that its answer repeats. */
const echo = (message: InboundMessage): { requestId?: string; inReplyTo?: string; serverId?: string } => {
  const { requestId, type, serverId } = message.body;
  return {
    ...(typeof requestId === "string" && requestId.length <= 128 ? { requestId } : {}),
    ...(typeof type === "string" && type.length <= 128 ? { inReplyTo: type } : {}),
    ...(typeof serverId === "string" && serverId.length <= 128 ? { serverId } : {}),
  };
};

/** Sends a message to one connection. */
export const notify = (state: ConnectionState, message: ServerMessage): void =>
  state.connection.send(createFrame(message));

/** Answers a message, and its Socket.IO acknowledgement with the same. */
export const answer = ({ state, inbound }: Exchange, reply: ServerMessage): void => {
  const { requestId } = echo(inbound);
  const full = requestId === undefined ? reply : { ...reply, requestId };
  state.connection.send(createFrame(full));
  inbound.acknowledge?.(full);
};

/** WS9: sends `ack` if the message asks for one. */
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

/** ER2. Details, such as the owner with `VOICE_NOT_OWNER`, become members of the error. */
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

/** Refuses a message; without `inbound`, data that is no message. */
export const refuse = ({ state, inbound }: Arrival, problem: ProblemError): void => {
  const error = errorMessage(problem, inbound);
  state.connection.send(createFrame(error));
  inbound?.acknowledge?.(error);
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

/** Answers a message of a connection that is not identified. */
export const sendRefusal = ({ state, inbound }: Exchange, refusal: Refusal): void => {
  const full = { ...refusal.answer, ...echo(inbound) };
  state.connection.send(createFrame(full));
  inbound.acknowledge?.(full);
};

/** ER6: an unexpected error becomes `UNAVAILABLE`, which is retryable and no authentication failure. */
export const toRetryable = (error: unknown): ProblemError =>
  error instanceof ProblemError && error.retryable ? error : new ProblemError("UNAVAILABLE");
