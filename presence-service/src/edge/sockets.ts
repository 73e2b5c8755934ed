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
import { countFailure, refusalOf } from "../connection/refusals.ts";
import { asTrouble, refuse, sendRefusal } from "../connection/replies.ts";
import { endConnection } from "../identity/connection-end.ts";
import { identify } from "../identity/identify.ts";
import type { Connection, ConnectionHandler, InboundMessage } from "../transport/connection.ts";
import { handleMessage, isHandledType, MESSAGE_TYPES } from "./message-types.ts";
import type { PresenceNode } from "./presence-node.ts";

/** The socket edge: admits, validates, hands over, answers failures. */
export class SocketEdge implements ConnectionHandler {
  private readonly node: PresenceNode;
  constructor(node: PresenceNode) {
    this.node = node;
  }

  opened(connection: Connection): void {
    this.node.connections.set(
      connection.id,
      new ConnectionState(connection, this.node.clock.now(), this.node.budgets),
    );
  }

  admit(connection: Connection, message: InboundMessage): boolean {
    const state = this.node.connections.get(connection.id);
    if (!state) return false;
    const { type } = message.body;
    if (!this.withinRate(state, message, isHandledType(type) ? MESSAGE_TYPES[type].budget : "message"))
      return false;
    if (message.bytes > LIMITS.messageBytes && type !== "account_sync") {
      this.refuse(state, message, new ProblemError("PAYLOAD_TOO_LARGE"));
      return false;
    }
    state.noteArrival();
    return true;
  }

  handle(connection: Connection, message: InboundMessage): Promise<void> | undefined {
    const state = this.node.connections.get(connection.id);
    if (!state) return undefined;
    state.handled += 1;
    const startedAt = performance.now();
    const before = state.pendingWork;
    const waiting = this.start(state, message);
    if (!waiting) {
      this.measure(message, startedAt);
      return undefined;
    }
    const done = waiting
      .catch((error: unknown) => (before ?? DONE).then(() => this.fail(state, message, error)))
      .finally(() => this.measure(message, startedAt));
    state.await(done);
    return done;
  }

  /** WS2: without this, each message would cost its sender a round trip to the cluster. */
  overlaps(connection: Connection, { body: { type, toUserId } }: InboundMessage): boolean {
    const overlaps = isHandledType(type) ? MESSAGE_TYPES[type].overlaps : "never";
    if (overlaps !== "known_contact" || typeof toUserId !== "string") return overlaps !== "never";
    const oderId = this.node.connections.get(connection.id)?.identity?.oderId;
    return oderId === undefined || this.node.contacts.recall(oderId, toUserId) !== undefined;
  }

  malformed(connection: Connection, problem: ProblemError): void {
    const state = this.node.connections.get(connection.id);
    if (state && this.withinRate(state, null, "message")) this.refuse(state, null, problem);
  }

  closed(connection: Connection): void {
    const state = this.node.connections.get(connection.id);
    if (!state) return;
    this.node.connections.delete(connection.id);
    endConnection(this.node, state);
  }

  private start(state: ConnectionState, message: InboundMessage): Promise<void> | undefined {
    try {
      const requestId = `${state.connection.id}.${state.handled}`;
      return withRequestId(requestId, () => this.dispatch(state, message));
    } catch (error) {
      return inTurn(state, () => this.fail(state, message, error));
    }
  }

  private dispatch(state: ConnectionState, inbound: InboundMessage): Promise<void> | undefined {
    const { type } = inbound.body;
    if (type === "identify") return identify(this.node, state, inbound, parse("identify", inbound));
    const { identity } = state;
    if (!identity) {
      this.refuseUnidentified(state, inbound);
      return undefined;
    }
    if (typeof type !== "string") throw invalid("type", "must be a string");
    if (!isHandledType(type)) throw new ProblemError("UNKNOWN_TYPE");
    const { node } = this;
    return handleMessage(type, { node, state, identity, inbound, message: parse(type, inbound) });
  }

  /** WS5: everything before identify is refused; after a failed one with that failure (rule WS4). */
  private refuseUnidentified(state: ConnectionState, inbound: InboundMessage): void {
    const refusal = state.refusal ?? refusalOf("missing");
    sendRefusal(state, inbound, refusal.answer);
    if (!state.excused) countFailure(state, refusal);
  }

  private withinRate(state: ConnectionState, message: InboundMessage | null, budget: MessageBudget): boolean {
    const now = this.node.clock.now();
    const bytes = message?.bytes ?? 0;
    const retryAfterMs = state.takeShare(budget, bytes, now);
    if (retryAfterMs === 0) return true;
    this.refuse(state, message, new ProblemError("RATE_LIMITED", undefined, { retryAfterMs }));
    this.endAbuse(state, bytes);
    return false;
  }

  /** WS12: a refusal for rate was sent; after too many of them the connection ends. */
  private endAbuse(state: ConnectionState, bytes: number): void {
    if (state.isAbusive(this.node.clock.now(), bytes))
      state.connection.close(CLOSE.RATE, "Too many messages in spite of refusals");
  }

  private refuse(state: ConnectionState, message: InboundMessage | null, problem: ProblemError): void {
    this.node.metrics.refusals.inc({ code: problem.code });
    refuse(state, message, problem);
  }

  private measure({ body: { type } }: InboundMessage, startedAt: number): void {
    const seconds = (performance.now() - startedAt) / 1000;
    this.node.metrics.messageSeconds.observe({ type: isClientMessageType(type) ? type : "unknown" }, seconds);
  }

  private fail(state: ConnectionState, message: InboundMessage, error: unknown): void {
    if (error instanceof ProblemError && error.status < 500) {
      this.refuse(state, message, error);
      if (error.code === "RATE_LIMITED") this.endAbuse(state, message.bytes);
      return;
    }
    this.node.log.error(
      { err: error, connectionId: state.connection.id, type: message.body["type"] },
      "message failed",
    );
    this.refuse(state, message, asTrouble(error));
  }
}

const DONE = Promise.resolve();

/** Refuses after the pending work, so that answers keep their order. */
const inTurn = (state: ConnectionState, act: () => void): Promise<void> | undefined => {
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
