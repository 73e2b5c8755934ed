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
import { Client, type MessageBudget } from "../connection/client.ts";
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
    this.node.clients.set(connection.id, new Client(connection, this.node.clock.now(), this.node.budgets));
  }

  admit(connection: Connection, message: InboundMessage): boolean {
    const client = this.node.clients.get(connection.id);
    if (!client) return false;
    const { type } = message.body;
    if (!this.withinRate(client, message, isHandledType(type) ? MESSAGE_TYPES[type].budget : "message"))
      return false;
    if (message.bytes > LIMITS.messageBytes && type !== "account_sync") {
      this.refuse(client, message, new ProblemError("PAYLOAD_TOO_LARGE"));
      return false;
    }
    client.noteArrival();
    return true;
  }

  handle(connection: Connection, message: InboundMessage): Promise<void> | undefined {
    const client = this.node.clients.get(connection.id);
    if (!client) return undefined;
    client.handled += 1;
    const startedAt = performance.now();
    const before = client.pendingWork;
    const waiting = this.start(client, message);
    if (!waiting) {
      this.measure(message, startedAt);
      return undefined;
    }
    const done = waiting
      .catch((error: unknown) => (before ?? DONE).then(() => this.fail(client, message, error)))
      .finally(() => this.measure(message, startedAt));
    client.await(done);
    return done;
  }

  /** WS2: without this, each message would cost its sender a round trip to the cluster. */
  overlaps(connection: Connection, { body: { type, toUserId } }: InboundMessage): boolean {
    const overlaps = isHandledType(type) ? MESSAGE_TYPES[type].overlaps : "never";
    if (overlaps !== "known_contact" || typeof toUserId !== "string") return overlaps !== "never";
    const oderId = this.node.clients.get(connection.id)?.identity?.oderId;
    return oderId === undefined || this.node.contacts.recall(oderId, toUserId) !== undefined;
  }

  malformed(connection: Connection, problem: ProblemError): void {
    const client = this.node.clients.get(connection.id);
    if (client && this.withinRate(client, null, "message")) this.refuse(client, null, problem);
  }

  closed(connection: Connection): void {
    const client = this.node.clients.get(connection.id);
    if (!client) return;
    this.node.clients.delete(connection.id);
    endConnection(this.node, client);
  }

  private start(client: Client, message: InboundMessage): Promise<void> | undefined {
    try {
      const requestId = `${client.connection.id}.${client.handled}`;
      return withRequestId(requestId, () => this.dispatch(client, message));
    } catch (error) {
      return inTurn(client, () => this.fail(client, message, error));
    }
  }

  private dispatch(client: Client, inbound: InboundMessage): Promise<void> | undefined {
    const { type } = inbound.body;
    if (type === "identify") return identify(this.node, client, inbound, parse("identify", inbound));
    const { identity } = client;
    if (!identity) {
      this.refuseUnidentified(client, inbound);
      return undefined;
    }
    if (typeof type !== "string") throw invalid("type", "must be a string");
    if (!isHandledType(type)) throw new ProblemError("UNKNOWN_TYPE");
    const { node } = this;
    return handleMessage(type, { node, client, identity, inbound, message: parse(type, inbound) });
  }

  /** WS5: everything before identify is refused; after a failed one with that failure (rule WS4). */
  private refuseUnidentified(client: Client, inbound: InboundMessage): void {
    const refusal = client.refusal ?? refusalOf("missing");
    sendRefusal(client, inbound, refusal.answer);
    if (!client.excused) countFailure(client, refusal);
  }

  private withinRate(client: Client, message: InboundMessage | null, budget: MessageBudget): boolean {
    const now = this.node.clock.now();
    const bytes = message?.bytes ?? 0;
    const retryAfterMs = client.takeShare(budget, bytes, now);
    if (retryAfterMs === 0) return true;
    this.refuse(client, message, new ProblemError("RATE_LIMITED", undefined, { retryAfterMs }));
    this.endAbuse(client, bytes);
    return false;
  }

  /** WS12: a refusal for rate was sent; after too many of them the connection ends. */
  private endAbuse(client: Client, bytes: number): void {
    if (client.isAbusive(this.node.clock.now(), bytes))
      client.connection.close(CLOSE.RATE, "Too many messages in spite of refusals");
  }

  private refuse(client: Client, message: InboundMessage | null, problem: ProblemError): void {
    this.node.metrics.refusals.inc({ code: problem.code });
    refuse(client, message, problem);
  }

  private measure({ body: { type } }: InboundMessage, startedAt: number): void {
    const seconds = (performance.now() - startedAt) / 1000;
    this.node.metrics.messageSeconds.observe({ type: isClientMessageType(type) ? type : "unknown" }, seconds);
  }

  private fail(client: Client, message: InboundMessage, error: unknown): void {
    if (error instanceof ProblemError && error.status < 500) {
      this.refuse(client, message, error);
      if (error.code === "RATE_LIMITED") this.endAbuse(client, message.bytes);
      return;
    }
    this.node.log.error(
      { err: error, connectionId: client.connection.id, type: message.body["type"] },
      "message failed",
    );
    this.refuse(client, message, asTrouble(error));
  }
}

const DONE = Promise.resolve();

/** Refuses after the pending work, so that answers keep their order. */
const inTurn = (client: Client, act: () => void): Promise<void> | undefined => {
  if (client.pendingWork) return client.pendingWork.then(act);
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
