import {
  CLIENT_MESSAGES,
  CLOSE,
  type ClientMessage,
  type ClientMessageType,
  isClientMessageType,
  LIMITS,
  ProblemError,
} from "@hearth/contracts";
import { withRequestId } from "@hearth/runtime";
import { ConnectionState, type MessageBudget } from "../connection/connection-state.ts";
import type { Arrival, Exchange } from "../connection/incoming.ts";
import { countFailure, refusalOf } from "../connection/refusals.ts";
import { refuse, sendRefusal, toRetryable } from "../connection/replies.ts";
import { endConnection } from "../identity/connection-end.ts";
import { identify } from "../identity/identify.ts";
import type { Connection, ConnectionHandler, InboundMessage } from "../transport/connection.ts";
import { handleMessage, isHandledType, MESSAGE_TYPES } from "./message-types.ts";
import type { PresenceNode } from "./presence-node.ts";

/** The socket edge: admits and validates messages, passes them to their handlers, and answers failures. */
export const createSocketEdge = (node: PresenceNode): ConnectionHandler => new SocketEdge(node);

class SocketEdge implements ConnectionHandler {
  private readonly node: PresenceNode;

  constructor(node: PresenceNode) {
    this.node = node;
  }

  opened(connection: Connection): void {
    const { connections, clock, budgets } = this.node;
    connections.set(connection.id, new ConnectionState(connection, clock.now(), budgets));
  }

  admit(connection: Connection, inbound: InboundMessage): boolean {
    const state = this.node.connections.get(connection.id);
    if (!state) return false;
    const { type } = inbound.body;
    if (!this.takeBudget(state, inbound, isHandledType(type) ? MESSAGE_TYPES[type].budget : "message"))
      return false;
    if (inbound.bytes > LIMITS.messageBytes && type !== "account_sync") {
      this.refuse({ state, inbound }, new ProblemError("PAYLOAD_TOO_LARGE"));
      return false;
    }
    state.noteArrival();
    return true;
  }

  handle(connection: Connection, inbound: InboundMessage): Promise<void> | undefined {
    const state = this.node.connections.get(connection.id);
    if (!state) return undefined;
    state.handled += 1;
    const exchange = { state, inbound };
    const startedAt = performance.now();
    const earlier = state.pendingWork;
    const work = this.start(exchange);
    if (!work) {
      this.measure(inbound, startedAt);
      return undefined;
    }
    const done = work
      .catch((error: unknown) => (earlier ?? DONE).then(() => this.fail(exchange, error)))
      .finally(() => this.measure(inbound, startedAt));
    state.await(done);
    return done;
  }

  /** WS2: otherwise each message would cost its sender a round trip to the cluster. */
  overlaps(connection: Connection, { body: { type, toUserId } }: InboundMessage): boolean {
    const overlaps = isHandledType(type) ? MESSAGE_TYPES[type].overlaps : "never";
    if (overlaps !== "known_contact" || typeof toUserId !== "string") return overlaps !== "never";
    const oderId = this.node.connections.get(connection.id)?.identity?.oderId;
    return oderId === undefined || this.node.contacts.recall(oderId, toUserId) !== undefined;
  }

  malformed(connection: Connection, problem: ProblemError): void {
    const state = this.node.connections.get(connection.id);
    if (state && this.takeBudget(state, null, "message")) this.refuse({ state, inbound: null }, problem);
  }

  closed(connection: Connection): void {
    const state = this.node.connections.get(connection.id);
    if (!state) return;
    this.node.connections.delete(connection.id);
    endConnection(this.node, state);
  }

  private start(exchange: Exchange): Promise<void> | undefined {
    const { state } = exchange;
    try {
      const requestId = `${state.connection.id}.${state.handled}`;
      return withRequestId(requestId, () => this.dispatch(exchange));
    } catch (error) {
      return afterPendingWork(state, () => this.fail(exchange, error));
    }
  }

  private dispatch(exchange: Exchange): Promise<void> | undefined {
    const { node } = this;
    const { state, inbound } = exchange;
    const { type } = inbound.body;
    if (type === "identify") return identify({ ...exchange, node, message: parse("identify", inbound) });
    const { identity } = state;
    if (!identity) {
      refuseUnidentified(exchange);
      return undefined;
    }
    if (typeof type !== "string") throw invalid("type", "must be a string");
    if (!isHandledType(type)) throw new ProblemError("UNKNOWN_TYPE");
    return handleMessage(type, { ...exchange, node, identity, message: parse(type, inbound) });
  }

  /** Returns false if a budget was exceeded: then the message has been refused. */
  private takeBudget(state: ConnectionState, inbound: InboundMessage | null, budget: MessageBudget): boolean {
    const bytes = inbound?.bytes ?? 0;
    const retryAfterMs = state.takeBudget(budget, bytes, this.node.clock.now());
    if (retryAfterMs === 0) return true;
    this.refuse({ state, inbound }, new ProblemError("RATE_LIMITED", undefined, { retryAfterMs }));
    this.closeIfAbusive(state, bytes);
    return false;
  }

  /** WS12: call it after a refusal for rate; closes the connection after too many of them. */
  private closeIfAbusive(state: ConnectionState, bytes: number): void {
    if (state.isAbusive(this.node.clock.now(), bytes))
      state.connection.close(CLOSE.RATE, "Too many messages in spite of refusals");
  }

  private refuse(arrival: Arrival, problem: ProblemError): void {
    this.node.metrics.refusals.inc({ code: problem.code });
    refuse(arrival, problem);
  }

  private measure({ body: { type } }: InboundMessage, startedAt: number): void {
    const seconds = (performance.now() - startedAt) / 1000;
    this.node.metrics.messageSeconds.observe({ type: isClientMessageType(type) ? type : "unknown" }, seconds);
  }

  private fail(exchange: Exchange, error: unknown): void {
    const { state, inbound } = exchange;
    if (error instanceof ProblemError && error.status < 500) {
      this.refuse(exchange, error);
      if (error.code === "RATE_LIMITED") this.closeIfAbusive(state, inbound.bytes);
      return;
    }
    const { type } = inbound.body;
    this.node.log.error({ err: error, connectionId: state.connection.id, type }, "message failed");
    this.refuse(exchange, toRetryable(error));
  }
}

const DONE = Promise.resolve();

/** WS5: before identify every message is refused; after a failed identify, with that failure (rule WS4). */
const refuseUnidentified = (exchange: Exchange): void => {
  const { state } = exchange;
  const refusal = state.refusal ?? refusalOf("missing");
  sendRefusal(exchange, refusal);
  if (!state.excused) countFailure(state, refusal);
};

/** Acts after the pending work, so that answers keep their order. */
const afterPendingWork = (state: ConnectionState, act: () => void): Promise<void> | undefined => {
  if (state.pendingWork) return state.pendingWork.then(act);
  act();
  return undefined;
};

const invalid = (path: string, message: string): ProblemError =>
  new ProblemError("INVALID_REQUEST", undefined, { errors: [{ path, message }] });

const parse = <Type extends ClientMessageType>(type: Type, { body }: InboundMessage): ClientMessage<Type> => {
  const result = CLIENT_MESSAGES[type].safeParse(body);
  if (result.success) return result.data as ClientMessage<Type>;
  const errors = result.error.issues
    .slice(0, 10)
    .map(({ path, message }) => ({ path: path.join("."), message }));
  throw new ProblemError("INVALID_REQUEST", undefined, { errors });
};
