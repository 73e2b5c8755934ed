import { setImmediate } from "node:timers";
import { ProblemError } from "@hearth/contracts";
import type { EventSubject, RequestSubject } from "@hearth/contracts";
import { currentRequestId, withRequestId } from "../context/request-context.ts";
import type { Log } from "../log/log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { createBusMetrics } from "./bus-metrics.ts";
import { DEFAULT_REQUEST_TIMEOUT_MS } from "./bus.ts";
import type { Bus, RequestOptions, Subscription } from "./bus.ts";
import { EventRoutes, nextOf } from "./event-routes.ts";
import { checkedPayload, encode, replyTo } from "./messages.ts";
import type { Reply } from "./messages.ts";
import { PendingRequests } from "./pending-requests.ts";
import type { Settle } from "./pending-requests.ts";
import { WorkInProgress } from "./work-in-progress.ts";

export interface MemoryBusOptions {
  readonly log: Log;
  readonly metrics?: Metrics;
  /** How long `close()` waits for handlers and requests in progress; default 2,000. */
  readonly drainMs?: number;
}

type Answerer = (text: string) => Promise<Reply>;

const closedError = (): ProblemError => new ProblemError("UNAVAILABLE", "The bus is closed");

/** One queue and one `setImmediate` for all messages of a turn, so that they arrive in the order of sending. */
class MemoryBus implements Bus {
  readonly #log: Log;
  readonly #drainMs: number;
  readonly #requests: PendingRequests;
  readonly #work: WorkInProgress;
  readonly #answerers = new Map<string, { readonly members: Answerer[]; next: number }>();
  readonly #events = new Map<string, EventRoutes>();
  #outbox: (() => void)[] = [];
  #closed = false;
  #closing: Promise<void> | undefined;

  constructor({ log, metrics, drainMs = DEFAULT_REQUEST_TIMEOUT_MS }: MemoryBusOptions) {
    this.#log = log;
    this.#drainMs = drainMs;
    this.#work = new WorkInProgress(log, () => this.#requests.size === 0 && this.#outbox.length === 0);
    this.#requests = new PendingRequests(log, createBusMetrics(metrics), () => this.#work.settled());
  }

  get connected(): boolean {
    return !this.#closed;
  }

  async request<Question, Answer>(
    subject: RequestSubject<Question, Answer>,
    question: Question,
    { timeoutMs = DEFAULT_REQUEST_TIMEOUT_MS }: RequestOptions = {},
  ): Promise<Answer> {
    if (this.#closed) throw closedError();
    const text = encode(question);
    return this.#requests.ask(subject, timeoutMs, (settle) => this.#ask(subject.name, text, settle));
  }

  answer<Question, Answer>(
    subject: RequestSubject<Question, Answer>,
    handler: (question: Question) => Promise<Answer>,
  ): Subscription {
    const group = this.#answerers.get(subject.name) ?? { members: [], next: 0 };
    this.#answerers.set(subject.name, group);
    const answerer: Answerer = (text) => replyTo(subject, handler, text, this.#log);
    group.members.push(answerer);
    return {
      close: () => {
        const index = group.members.indexOf(answerer);
        if (index >= 0) group.members.splice(index, 1);
      },
    };
  }

  async publish<Payload>(subject: EventSubject<Payload>, payload: Payload): Promise<void> {
    if (this.#closed) throw closedError();
    const checked = checkedPayload(subject, encode(payload), this.#log);
    const requestId = currentRequestId();
    this.#send(() => this.#deliver(subject.name, checked, requestId));
  }

  subscribe<Payload>(
    subject: EventSubject<Payload>,
    handler: (payload: Payload) => void | Promise<void>,
    options: { readonly queue?: string } = {},
  ): Subscription {
    const routes = this.#events.get(subject.name) ?? new EventRoutes();
    this.#events.set(subject.name, routes);
    return routes.add(
      (payload) => void this.#work.handle(subject.name, () => handler(payload as Payload)),
      options.queue,
    );
  }

  /** Within one process no message is lost. */
  onReconnect(): Subscription {
    return { close: () => undefined };
  }

  close(): Promise<void> {
    this.#closing ??= this.#drain();
    return this.#closing;
  }

  #send(deliver: () => void): void {
    if (this.#outbox.push(deliver) === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const batch = this.#outbox;
    this.#outbox = [];
    for (const deliver of batch) deliver();
    this.#work.settled();
  }

  #ask(subject: string, text: string, settle: Settle): void {
    const requestId = currentRequestId();
    this.#send(() => {
      const group = this.#answerers.get(subject);
      const answerer = group && nextOf(group);
      if (answerer) {
        const failed = () => settle(new ProblemError("INTERNAL"));
        void withRequestId(requestId, () => answerer(text)).then(settle, failed);
      } else settle(new ProblemError("UNAVAILABLE"));
    });
  }

  #deliver(subject: string, payload: unknown, requestId: string | undefined): void {
    const receivers = this.#events.get(subject)?.receivers() ?? [];
    const text = receivers.length > 1 ? encode(payload) : "";
    receivers.forEach((receive, index) => {
      const copy: unknown = index === 0 ? payload : JSON.parse(text);
      withRequestId(requestId, () => receive(copy));
    });
  }

  async #drain(): Promise<void> {
    await this.#work.idle(this.#drainMs);
    this.#closed = true;
    this.#requests.refuseAll(closedError());
    this.#answerers.clear();
    this.#events.clear();
  }
}

/** The bus of one process. It copies, delays and fails like a networked one, so that no code relies on more. */
export const createMemoryBus = (options: MemoryBusOptions): Bus => new MemoryBus(options);
