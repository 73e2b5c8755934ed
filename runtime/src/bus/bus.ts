import type { EventSubject, RequestSubject } from "@hearth/contracts";

/** Ends a subscription; calling it twice is harmless. */
export interface Subscription {
  close(): void;
}

/** The default timeout of a request in milliseconds. */
export const DEFAULT_REQUEST_TIMEOUT_MS = 2_000;

export interface RequestOptions {
  /** Milliseconds to wait for the answer; default 2,000. */
  readonly timeoutMs?: number;
}

/**
 * The port through which services talk. Requests and events are JSON: they are copied, checked against their schema and
 * arrive on a later turn of the event loop, in one process as over a network. A message carries the id of the HTTP
 * request or socket message that caused it.
 */
export interface Bus {
  /**
   * Sends a request to one of those who answer `subject`. Rejects with the `ProblemError` that the answering side threw,
   * with `UNAVAILABLE` when nobody answers or the bus is not connected, and with `TIMEOUT` after the timeout.
   */
  request<Question, Answer>(
    subject: RequestSubject<Question, Answer>,
    question: Question,
    options?: RequestOptions,
  ): Promise<Answer>;

  /** Answers `subject`. Where several do, in one process or many, each request reaches one of them. */
  answer<Question, Answer>(
    subject: RequestSubject<Question, Answer>,
    handler: (question: Question) => Promise<Answer>,
  ): Subscription;

  /** Hands an event to the bus. Rejects with `UNAVAILABLE` when it cannot, so that no event is dropped silently. */
  publish<Payload>(subject: EventSubject<Payload>, payload: Payload): Promise<void>;

  /**
   * Receives events, in publishing order per publisher. A handler that awaits does not hold the next event back. With
   * `queue`, one subscriber of each queue receives an event. The error of a handler that throws is logged.
   */
  subscribe<Payload>(
    subject: EventSubject<Payload>,
    handler: (payload: Payload) => void | Promise<void>,
    options?: { readonly queue?: string },
  ): Subscription;

  /**
   * Calls the listener after each reconnect. Events in between were missed, so a cache that is built from events has to
   * ask again.
   */
  onReconnect(listener: () => void): Subscription;

  /** False while messages cannot be sent. A service is not ready then. */
  readonly connected: boolean;

  /**
   * Takes no more requests, so that other processes are asked. Requests that were on their way are still answered, and
   * events still arrive. Absent on a bus of one process.
   */
  retire?(): Promise<void>;

  /** Lets requests and handlers in progress finish, then refuses everything with `UNAVAILABLE`. */
  close(): Promise<void>;
}
