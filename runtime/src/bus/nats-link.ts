import { connect } from "@nats-io/transport-node";
import type { Msg, NatsConnection, Subscription as NatsSubscription, Status } from "@nats-io/transport-node";
import { LIMITS } from "@hearth/contracts";
import { codeOf } from "../errors/error-code.ts";
import type { Log } from "../log/log.ts";
import { TroubleLog } from "../log/trouble-log.ts";
import { pause } from "../timing/retry.ts";
import type { Subscription } from "./bus.ts";

export interface NatsAddress {
  /** Addresses of the servers, `host:port`. Any one of them is enough. */
  readonly servers: readonly string[];
  readonly user?: string;
  readonly password?: string;
  /** The name of this connection in the server's reports. */
  readonly name: string;
}

/** Callbacks of a link. */
export interface LinkEvents {
  /** All subscriptions are active; `again` is true after a reconnect. */
  readonly up: (again: boolean) => void;
  readonly down: () => void;
  /** The server refused a message to this subject. */
  readonly refused: (subject: string) => void;
}

/** A subscription that outlives connections. */
interface Wanted {
  readonly subject: string;
  readonly queue: string | undefined;
  readonly receive: (message: Msg) => void;
  live: NatsSubscription | undefined;
}

/** A server that answers no ping for about six seconds counts as lost. */
const PING_INTERVAL_MS = 2_000;
const UNANSWERED_PINGS = 2;
const RETRY_MS = 250;
const DIAL_TIMEOUT_MS = 3_000;
/** How many bytes a client message grows by on its way between services. */
const ENVELOPE_BYTES = 4_096;

/**
 * Keeps one connection to the server and dials until it has one. A lost connection is replaced, never revived: messages
 * that the server had not confirmed count as lost, and every subscription is made again.
 */
export class NatsLink {
  readonly #address: NatsAddress;
  readonly #log: Log;
  readonly #events: LinkEvents;
  readonly #wanted = new Set<Wanted>();
  readonly #ending = new AbortController();
  #connection: NatsConnection | undefined;
  #up = false;
  #upBefore = false;
  readonly #trouble: TroubleLog;

  constructor(address: NatsAddress, log: Log, events: LinkEvents) {
    this.#address = address;
    this.#log = log;
    this.#trouble = new TroubleLog(log);
    this.#events = events;
    void this.#run();
  }

  /** The connection; `undefined` while there is none to send with. */
  get connection(): NatsConnection | undefined {
    return this.#up ? this.#connection : undefined;
  }

  want(subject: string, queue: string | undefined, receive: (message: Msg) => void): Subscription {
    const wanted: Wanted = { subject, queue, receive, live: undefined };
    this.#wanted.add(wanted);
    if (this.#connection) this.#bind(this.#connection, wanted);
    return {
      close: () => {
        if (this.#wanted.delete(wanted)) wanted.live?.unsubscribe();
      },
    };
  }

  /** Ends these subscriptions; messages that are on their way still arrive. */
  async unsubscribe(isOver: (subject: string, queue: string | undefined) => boolean): Promise<void> {
    const ends = [...this.#wanted].filter(({ subject, queue }) => isOver(subject, queue));
    await Promise.allSettled(ends.map(async ({ live }) => live?.drain()));
  }

  async close(): Promise<void> {
    this.#ending.abort();
    this.#lost();
    this.#wanted.clear();
    await this.#connection?.close();
  }

  /** Dials until it succeeds, follows the connection until it ends, and starts again, until `close`. */
  async #run(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      try {
        await this.#follow(await this.#dial());
      } catch (error) {
        this.#trouble.report(codeOf(error), "the bus cannot be reached");
      }
      await pause(RETRY_MS, { signal: this.#ending.signal });
    }
  }

  #dial(): Promise<NatsConnection> {
    const { servers, user, password, name } = this.#address;
    return connect({
      servers: [...servers],
      name,
      ...(user !== undefined && { user }),
      ...(password !== undefined && { pass: password }),
      timeout: DIAL_TIMEOUT_MS,
      reconnect: false,
      pingInterval: PING_INTERVAL_MS,
      maxPingOut: UNANSWERED_PINGS,
    });
  }

  async #follow(connection: NatsConnection): Promise<void> {
    if (this.#ending.signal.aborted) return connection.close();
    this.#connection = connection;
    const reports = connection.status();
    for (const wanted of this.#wanted) this.#bind(connection, wanted);
    connection.flush().then(
      () => this.#inForce(connection),
      () => undefined,
    );
    for await (const report of reports) this.#heard(connection, report);
    this.#lost();
    this.#connection = undefined;
  }

  #heard(connection: NatsConnection, report: Status): void {
    if (report.type === "error") this.#troubled(report.error);
    else if (report.type === "staleConnection" || report.type === "disconnect") {
      this.#lost();
      // Otherwise the client would wait until all unsent bytes are written to a peer that no longer reads.
      void connection.close();
    }
  }

  #troubled(error: Error): void {
    const { operation, subject } = error as Error & { operation?: unknown; subject?: unknown };
    if (operation === "publish" && typeof subject === "string") this.#events.refused(subject);
    // A refused subscription is reported to its callback.
    else if (operation !== "subscription") this.#log.error({ name: error.name }, "the bus reports an error");
  }

  #bind(connection: NatsConnection, wanted: Wanted): void {
    if (connection.isClosed()) return;
    wanted.live = connection.subscribe(wanted.subject, {
      ...(wanted.queue !== undefined && { queue: wanted.queue }),
      callback: (error, message) => {
        if (error) this.#log.error({ subject: wanted.subject }, "the bus refuses a subscription");
        else if (this.#wanted.has(wanted)) wanted.receive(message);
      },
    });
  }

  #inForce(connection: NatsConnection): void {
    if (this.#connection !== connection || connection.isClosed()) return;
    const again = this.#upBefore;
    this.#up = true;
    this.#upBefore = true;
    this.#trouble.clear();
    this.#log.info({}, again ? "the bus is back" : "the bus is connected");
    const largest = connection.info?.max_payload ?? Infinity;
    if (!again && largest < LIMITS.frameBytes + ENVELOPE_BYTES)
      this.#log.warn({ largest }, "the bus takes smaller messages than clients may send");
    this.#events.up(again);
  }

  #lost(): void {
    if (!this.#up) return;
    this.#up = false;
    if (!this.#ending.signal.aborted) this.#log.warn({}, "the bus is gone");
    this.#events.down();
  }
}
