import { setImmediate } from "node:timers";
import { ProblemError } from "@hearth/contracts";
import type { EventSubject, RequestSubject } from "@hearth/contracts";
import { currentRequestId, withRequestId } from "../context/request-context.ts";
import type { Log } from "../log/log.ts";
import type { Histogram, Metrics } from "../metrics/metrics.ts";
import type { Bus, RequestOptions, Subscription } from "./bus.ts";
import { EventRoutes, nextOf } from "./event-routes.ts";
import { checkedPayload, encode, readReply, replyTo } from "./messages.ts";
import type { Reply } from "./messages.ts";

/** Milliseconds a question waits for its answer unless its options say otherwise. */
export const DEFAULT_REQUEST_TIMEOUT_MS = 2_000;

export interface MemoryBusOptions {
  readonly log: Log;
  readonly metrics?: Metrics;
  /** Longest wait of `close()` for what is under way; default 2,000. */
  readonly drainMs?: number;
}

type Answerer = (text: string) => Promise<Reply>;
type Settle = (reply: Reply | ProblemError) => void;

/** Seconds; from an in-process answer to one that nearly timed out. */
const LATENCY_BUCKETS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2];

const away = (): ProblemError => new ProblemError("UNAVAILABLE", "The bus is closed");

/** One queue and one `setImmediate` for all messages of a turn: what is sent first arrives first. */
class MemoryBus implements Bus {
  readonly #log: Log;
  readonly #drainMs: number;
  readonly #failed: ((subject: string, code: string) => void) | undefined;
  readonly #latency: Histogram<"subject"> | undefined;
  readonly #answerers = new Map<string, { readonly members: Answerer[]; next: number }>();
  readonly #events = new Map<string, EventRoutes>();
  readonly #pending = new Set<Settle>();
  #outbox: (() => void)[] = [];
  #handling = 0;
  #closed = false;
  #closing: Promise<void> | undefined;
  #whenIdle: (() => void) | undefined;

  constructor({ log, metrics, drainMs = DEFAULT_REQUEST_TIMEOUT_MS }: MemoryBusOptions) {
    this.#log = log;
    this.#drainMs = drainMs;
    const failures = metrics?.counter({
      name: "hearth_bus_failures_total",
      help: "Requests over the bus that were refused or failed",
      labels: ["subject", "code"],
    });
    if (failures) this.#failed = (subject, code) => failures.inc({ subject, code });
    this.#latency = metrics?.histogram({
      name: "hearth_bus_request_duration_seconds",
      help: "Time from a question to its answer, failures included",
      labels: ["subject"],
      buckets: LATENCY_BUCKETS,
    });
  }

  get connected(): boolean {
    return !this.#closed;
  }

  request<Question, Answer>(
    subject: RequestSubject<Question, Answer>,
    question: Question,
    { timeoutMs = DEFAULT_REQUEST_TIMEOUT_MS }: RequestOptions = {},
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw away();
      const askedAt = performance.now();
      const text = encode(question);
      const settle: Settle = (reply) => {
        if (!this.#pending.delete(settle)) return;
        clearTimeout(timer);
        this.#latency?.observe({ subject: subject.name }, (performance.now() - askedAt) / 1000);
        try {
          if (reply instanceof ProblemError) throw reply;
          resolve(readReply(subject, reply, this.#log));
        } catch (error) {
          const problem = error instanceof ProblemError ? error : new ProblemError("INTERNAL");
          this.#failed?.(subject.name, problem.code);
          reject(problem);
        }
        this.#settled();
      };
      const timer = setTimeout(() => settle(new ProblemError("TIMEOUT")), timeoutMs);
      this.#pending.add(settle);
      this.#ask(subject.name, text, settle);
    });
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
    if (this.#closed) throw away();
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
      (payload) => void this.#handle(subject.name, () => handler(payload as Payload)),
      options.queue,
    );
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
    this.#settled();
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

  async #handle(subject: string, run: () => void | Promise<void>): Promise<void> {
    this.#handling += 1;
    try {
      await run();
    } catch (error) {
      this.#log.error({ subject, err: error }, "an event handler failed");
    }
    this.#handling -= 1;
    this.#settled();
  }

  #settled(): void {
    if (this.#whenIdle && this.#isIdle()) this.#whenIdle();
  }

  #isIdle(): boolean {
    return this.#pending.size === 0 && this.#handling === 0 && this.#outbox.length === 0;
  }

  async #drain(): Promise<void> {
    if (!this.#isIdle()) {
      await new Promise<void>((resolve) => {
        const limit = setTimeout(resolve, this.#drainMs);
        this.#whenIdle = () => {
          clearTimeout(limit);
          resolve();
        };
      });
    }
    this.#closed = true;
    for (const settle of [...this.#pending]) settle(away());
    this.#answerers.clear();
    this.#events.clear();
  }
}

/** The bus of one process; it hurts like a network one, so that nobody comes to rely on more (see {@link Bus}). */
export const createMemoryBus = (options: MemoryBusOptions): Bus => new MemoryBus(options);
