import { setTimeout as wait } from "node:timers/promises";
import { nuid } from "@nats-io/transport-node";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import { ProblemError } from "@hearth/contracts";
import type { EventSubject, RequestSubject } from "@hearth/contracts";
import { currentRequestId, withRequestId } from "../context/request-context.ts";
import type { Log } from "../log/log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { createBusMetrics } from "./bus-metrics.ts";
import type { BusMetrics } from "./bus-metrics.ts";
import { DEFAULT_REQUEST_TIMEOUT_MS } from "./bus.ts";
import type { Bus, RequestOptions, Subscription } from "./bus.ts";
import { Confirmations } from "./confirmations.ts";
import { checkedPayload, encode, replyTo } from "./messages.ts";
import type { Reply } from "./messages.ts";
import { NatsLink } from "./nats-link.ts";
import type { NatsAddress } from "./nats-link.ts";
import { questionText, readQuestion, readReplyText, replyText } from "./nats-wire.ts";
import { PendingRequests } from "./pending-requests.ts";
import type { Settle } from "./pending-requests.ts";
import { WorkInProgress } from "./work-in-progress.ts";

export interface NatsBusOptions extends NatsAddress {
  readonly log: Log;
  readonly metrics?: Metrics;
  /** How long `close()` waits for handlers and requests in progress; default 2,000. */
  readonly drainMs?: number;
}

interface Asked {
  readonly subject: string;
  readonly settle: Settle;
}

const NO_RESPONDERS = 503;

const disconnectedError = (): ProblemError => new ProblemError("UNAVAILABLE", "The bus is not connected");
const forbidden = (): ProblemError => new ProblemError("UNAVAILABLE", "The bus does not allow this");

/**
 * The bus between processes. It connects by itself, however long that takes, and reconnects after every loss. Without a
 * connection it refuses every message at once, so that none is dropped silently (rule ER6).
 */
class NatsBus implements Bus {
  readonly #log: Log;
  readonly #metrics: BusMetrics | undefined;
  readonly #drainMs: number;
  readonly #link: NatsLink;
  readonly #requests: PendingRequests;
  readonly #work: WorkInProgress;
  readonly #confirmations = new Confirmations();
  readonly #listeners = new Set<() => void>();
  /** Requests in progress, by the last part of their reply subject. */
  readonly #asked = new Map<string, Asked>();
  /** How often the server refused messages to a subject. */
  readonly #refusals = new Map<string, number>();
  /** Begins with the service name, so that the server can let each service receive only its own answers. */
  readonly #inbox: string;
  #next = 0;
  #closing: Promise<void> | undefined;

  constructor({ log, metrics, drainMs = DEFAULT_REQUEST_TIMEOUT_MS, ...address }: NatsBusOptions) {
    this.#log = log;
    this.#drainMs = drainMs;
    this.#metrics = createBusMetrics(metrics);
    this.#work = new WorkInProgress(log, () => this.#requests.size === 0);
    this.#requests = new PendingRequests(log, this.#metrics, () => this.#work.settled());
    this.#link = new NatsLink(address, log, {
      up: (again) => this.#up(again),
      down: () => this.#down(),
      refused: (subject) => this.#refused(subject),
    });
    this.#inbox = `_INBOX.${address.name}.${nuid.next()}.`;
    this.#link.want(`${this.#inbox}*`, undefined, (message) => this.#answered(message));
  }

  get connected(): boolean {
    return this.#link.connection !== undefined && this.#closing === undefined;
  }

  async request<Question, Answer>(
    subject: RequestSubject<Question, Answer>,
    question: Question,
    { timeoutMs = DEFAULT_REQUEST_TIMEOUT_MS }: RequestOptions = {},
  ): Promise<Answer> {
    const connection = this.#inForce();
    const text = questionText(currentRequestId(), encode(question));
    const key = (this.#next++).toString(36);
    try {
      return await this.#requests.ask(subject, timeoutMs, (settle) => {
        this.#asked.set(key, { subject: subject.name, settle });
        this.#send(connection, subject.name, text, this.#inbox + key);
      });
    } finally {
      this.#asked.delete(key);
    }
  }

  answer<Question, Answer>(
    subject: RequestSubject<Question, Answer>,
    handler: (question: Question) => Promise<Answer>,
  ): Subscription {
    return this.#link.want(subject.name, subject.name, (message) => {
      const { requestId, json } = readQuestion(message.string());
      const respond = async () => {
        const reply = await withRequestId(requestId, () => replyTo(subject, handler, json, this.#log));
        this.#respond(subject.name, message, reply);
      };
      void this.#work.handle(subject.name, respond);
    });
  }

  /** Resolves once the server has the event. Events of one turn share one round trip. */
  async publish<Payload>(subject: EventSubject<Payload>, payload: Payload): Promise<void> {
    const json = encode(payload);
    checkedPayload(subject, json, this.#log);
    try {
      const connection = this.#inForce();
      const refusals = this.#refusals.get(subject.name);
      this.#send(connection, subject.name, questionText(currentRequestId(), json));
      if (!(await this.#confirmations.confirmed(connection))) throw disconnectedError();
      if (this.#refusals.get(subject.name) !== refusals) throw forbidden();
    } catch (error) {
      if (error instanceof ProblemError) this.#metrics?.failed(subject.name, error.code);
      throw error;
    }
  }

  subscribe<Payload>(
    subject: EventSubject<Payload>,
    handler: (payload: Payload) => void | Promise<void>,
    options: { readonly queue?: string } = {},
  ): Subscription {
    return this.#link.want(subject.name, options.queue, (message) => {
      const { requestId, json } = readQuestion(message.string());
      const run = () => handler(checkedPayload(subject, json, this.#log));
      void withRequestId(requestId, () => this.#work.handle(subject.name, run));
    });
  }

  onReconnect(listener: () => void): Subscription {
    const own = () => listener();
    this.#listeners.add(own);
    return { close: () => void this.#listeners.delete(own) };
  }

  async retire(): Promise<void> {
    const limit = wait(this.#drainMs, undefined, { ref: false });
    await Promise.race([this.#link.unsubscribe((subject, queue) => queue === subject), limit]);
  }

  close(): Promise<void> {
    this.#closing ??= this.#drain();
    return this.#closing;
  }

  #inForce(): NatsConnection {
    const { connection } = this.#link;
    if (!connection || this.#closing) throw disconnectedError();
    return connection;
  }

  /** A message that is too large for the server would end the connection for all others. */
  #send(connection: NatsConnection, subject: string, text: string, reply?: string): void {
    const bytes = Buffer.from(text);
    if (bytes.length > (connection.info?.max_payload ?? Infinity)) {
      this.#log.error({ subject, bytes: bytes.length }, "a message is larger than the bus takes");
      throw new ProblemError("PAYLOAD_TOO_LARGE");
    }
    try {
      connection.publish(subject, bytes, reply === undefined ? undefined : { reply });
    } catch {
      throw disconnectedError();
    }
  }

  #respond(subject: string, { reply: inbox }: Msg, reply: Reply): void {
    const { connection } = this.#link;
    // The caller has already been told that the connection is lost.
    if (!connection || inbox === undefined) return;
    try {
      this.#send(connection, inbox, replyText(reply));
    } catch (error) {
      const problem = error instanceof ProblemError ? error : new ProblemError("INTERNAL");
      this.#log.warn({ subject, code: problem.code }, "an answer was not sent");
      if (problem.code === "PAYLOAD_TOO_LARGE")
        connection.publish(inbox, replyText({ ok: false, text: encode(problem.toData()) }));
    }
  }

  #answered(message: Msg): void {
    const asked = this.#asked.get(message.subject.slice(this.#inbox.length));
    if (!asked) return;
    const nobody = message.data.length === 0 && message.headers?.code === NO_RESPONDERS;
    asked.settle(nobody ? new ProblemError("UNAVAILABLE") : readReplyText(message.string()));
  }

  #up(again: boolean): void {
    this.#metrics?.connected(true);
    this.#refusals.clear();
    if (again) for (const listener of this.#listeners) listener();
  }

  #down(): void {
    this.#metrics?.connected(false);
    this.#confirmations.giveUp();
    this.#requests.refuseAll(disconnectedError());
  }

  /** The server's permissions do not let this service send there. That is a mistake of the deployment, logged once. */
  #refused(subject: string): void {
    const before = this.#refusals.get(subject) ?? 0;
    this.#refusals.set(subject, before + 1);
    if (before === 0) this.#log.error({ subject }, "the bus does not let this service send to a subject");
    for (const asked of [...this.#asked.values()]) if (asked.subject === subject) asked.settle(forbidden());
  }

  async #drain(): Promise<void> {
    const until = performance.now() + this.#drainMs;
    const { connection } = this.#link;
    if (connection) {
      await Promise.race([
        this.#link.unsubscribe((subject) => subject !== `${this.#inbox}*`),
        wait(this.#drainMs, undefined, { ref: false }),
      ]);
      await this.#work.idle(Math.max(0, until - performance.now()));
      await this.#confirmations.confirmed(connection);
    }
    await this.#link.close();
  }
}

export const createNatsBus = (options: NatsBusOptions): Bus => new NatsBus(options);
