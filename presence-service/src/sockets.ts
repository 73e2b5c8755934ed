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
import { Client } from "./client.ts";
import { handleMessage } from "./handlers.ts";
import { countFailure, identify, refusalOf } from "./identify.ts";
import { unindex } from "./indexes.ts";
import { announceDeparture } from "./membership.ts";
import type { PresenceNode } from "./node.ts";
import { asTrouble, refuse, sendRefusal } from "./replies.ts";
import type { Connection, ConnectionHandler, InboundMessage } from "./transport/connection.ts";
import { detachVoice } from "./voice.ts";

/** The socket edge: admits, validates, hands over, answers failures. */
export class SocketEdge implements ConnectionHandler {
  private readonly node: PresenceNode;
  private readonly clients = new Map<Connection, Client>();
  private underWay = 0;

  constructor(node: PresenceNode) {
    this.node = node;
  }

  /** Messages being handled right now; draining waits for zero. */
  get busy(): number {
    return this.underWay;
  }

  opened(connection: Connection): void {
    const client = new Client(connection, this.node.clock.now());
    this.clients.set(connection, client);
    this.node.clients.set(connection.id, client);
  }

  admit(connection: Connection, message: InboundMessage): boolean {
    const client = this.clients.get(connection);
    if (!client) return false;
    const { type } = message.body;
    if (!this.withinRate(client, message, isClientMessageType(type) ? type : null)) return false;
    if (message.bytes > LIMITS.messageBytes && type !== "account_sync") {
      this.refuse(client, message, new ProblemError("PAYLOAD_TOO_LARGE"));
      return false;
    }
    client.noteArrival();
    return true;
  }

  handle(connection: Connection, message: InboundMessage): Promise<void> | undefined {
    const client = this.clients.get(connection);
    if (!client) return undefined;
    client.handled += 1;
    const startedAt = performance.now();
    const done = (): void => {
      const type = message.body["type"];
      const label = isClientMessageType(type) ? type : "unknown";
      this.node.metrics.messageSeconds.observe({ type: label }, (performance.now() - startedAt) / 1000);
    };
    try {
      const requestId = `${connection.id}.${client.handled}`;
      const waiting = withRequestId(requestId, () => this.dispatch(client, message));
      if (!waiting) {
        done();
        return undefined;
      }
      this.underWay += 1;
      return waiting
        .catch((error: unknown) => this.fail(client, message, error))
        .finally(() => {
          this.underWay -= 1;
          done();
        });
    } catch (error) {
      this.fail(client, message, error);
      return undefined;
    }
  }

  malformed(connection: Connection, problem: ProblemError): void {
    const client = this.clients.get(connection);
    if (client && this.withinRate(client, null, null)) this.refuse(client, null, problem);
  }

  closed(connection: Connection): void {
    const client = this.clients.get(connection);
    this.clients.delete(connection);
    this.node.clients.delete(connection.id);
    if (!client) return;
    const oderId = client.identity?.oderId;
    unindex(this.node, client);
    this.forget(connection.id, oderId).catch((error: unknown) => {
      this.node.log.warn(
        { err: error, connectionId: connection.id },
        "connection not forgotten; its lease will end",
      );
    });
  }

  private async forget(connectionId: string, oderId: string | undefined): Promise<void> {
    const departures = await this.node.roster.unregister(connectionId);
    for (const departure of departures) announceDeparture(this.node, departure);
    if (oderId !== undefined) await detachVoice(this.node, oderId, connectionId);
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
    if (!isClientMessageType(type) || type === "identify") throw new ProblemError("UNKNOWN_TYPE");
    return handleMessage(this.node, client, identity, inbound, parse(type, inbound));
  }

  /** WS5: everything before identify is refused; after a failed one with that failure (rule WS4). */
  private refuseUnidentified(client: Client, inbound: InboundMessage): void {
    const refusal = client.refusal ?? refusalOf("missing");
    sendRefusal(client, inbound, refusal.answer);
    if (!client.excused) countFailure(client, refusal);
  }

  private withinRate(
    client: Client,
    message: InboundMessage | null,
    type: ClientMessageType | null,
  ): boolean {
    const now = this.node.clock.now();
    const retryAfterMs = client.takeRate(type, now);
    if (retryAfterMs === 0) return true;
    this.refuse(client, message, new ProblemError("RATE_LIMITED", undefined, { retryAfterMs }));
    if (client.isAbusive(now)) client.connection.close(CLOSE.RATE, "Too many messages in spite of refusals");
    return false;
  }

  private refuse(client: Client, message: InboundMessage | null, problem: ProblemError): void {
    this.node.metrics.refusals.inc({ code: problem.code });
    refuse(client, message, problem);
  }

  private fail(client: Client, message: InboundMessage, error: unknown): void {
    if (error instanceof ProblemError && error.status < 500) {
      this.refuse(client, message, error);
      return;
    }
    this.node.log.error(
      { err: error, connectionId: client.connection.id, type: message.body["type"] },
      "message failed",
    );
    this.refuse(client, message, asTrouble(error));
  }
}

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
