import type { EventSubject, RequestSubject } from "@hearth/contracts";

/** Ends a subscription; calling it twice is harmless. */
export interface Subscription {
  close(): void;
}

/** Milliseconds a question waits for its answer unless its options say otherwise. */
export const DEFAULT_REQUEST_TIMEOUT_MS = 2_000;

export interface RequestOptions {
  /** Milliseconds to wait for the answer; default 2,000. */
  readonly timeoutMs?: number;
}

/**
 * How services talk. Questions and payloads are JSON: they are copied, checked against their schema and arrive
 * on a later turn of the event loop, in one process as over a network. The id of the request in whose course a
 * message is sent travels with it.
 */
export interface Bus {
  /**
   * Asks one of those who answer `subject`. Rejects with the `ProblemError` that the answering side threw,
   * `UNAVAILABLE` when nobody answers or the bus is not connected, `TIMEOUT` when the answer takes too long.
   */
  request<Question, Answer>(
    subject: RequestSubject<Question, Answer>,
    question: Question,
    options?: RequestOptions,
  ): Promise<Answer>;

  /** Answers `subject`; of several, in one process or many, each request reaches one. */
  answer<Question, Answer>(
    subject: RequestSubject<Question, Answer>,
    handler: (question: Question) => Promise<Answer>,
  ): Subscription;

  /** Hands an event to the bus; rejects with `UNAVAILABLE` when it cannot, so that nothing is dropped silently. */
  publish<Payload>(subject: EventSubject<Payload>, payload: Payload): Promise<void>;

  /**
   * Receives an event, in publishing order per publisher; the next one is not held back by a handler that
   * awaits. With `queue`, one subscriber of each queue receives it. A handler that throws is logged.
   */
  subscribe<Payload>(
    subject: EventSubject<Payload>,
    handler: (payload: Payload) => void | Promise<void>,
    options?: { readonly queue?: string },
  ): Subscription;

  /**
   * Calls the listener each time the connection is back after it was lost: events in between have not arrived, so
   * whoever keeps a view of what others say asks them again.
   */
  onReconnect(listener: () => void): Subscription;

  /** False while messages cannot be sent; part of readiness. */
  readonly connected: boolean;

  /**
   * Takes no more questions, so that others are asked; those that were on their way are still answered, and events
   * still come. Nothing to do where nobody else could be asked.
   */
  retire?(): Promise<void>;

  /** Lets what is under way finish, then refuses everything with `UNAVAILABLE`. */
  close(): Promise<void>;
}
