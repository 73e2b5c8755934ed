import type { ClientLimits, SocketError } from "@hearth/contracts";
import { ClientProblem } from "@hearth/device";
import type { Platform } from "../ports.ts";
import type { Incoming, OutgoingMessage } from "./connection.ts";
import { createPace } from "./pace.ts";
import type { Pace } from "./pace.ts";

const ANSWER_MS = 10_000;
const MAX_WAITING = 5_000;
/** A longer rate limit is passed to the caller. */
const LONGEST_WAIT_MS = 5_000;
const MAX_REFUSALS = 5;

interface Pending {
  readonly text: string;
  readonly bytes: number;
  readonly resolve: (answer: Incoming) => void;
  readonly reject: (problem: ClientProblem) => void;
  isUnderWay: boolean;
  refusals: number;
  cancelTimer: () => void;
}

/** The requests of one identified socket, each with an id. */
export interface Requests {
  request(message: OutgoingMessage): Promise<Incoming>;
  cast(message: OutgoingMessage): void;
  /** Sends before everything that waits; the answer is ignored. */
  urgent(message: OutgoingMessage): void;
  /** True if the message answers a request. */
  answer(message: Incoming): boolean;
  end(): void;
}

const problemOf = (error: SocketError): ClientProblem =>
  new ClientProblem(error.code, {
    message: error.message,
    retryable: error.retryable,
    retryAfterMs: error.retryAfterMs ?? null,
    issues: error.errors ?? [],
    requestId: error.requestId ?? null,
  });

const encoder = new TextEncoder();

interface RequestsOptions {
  readonly platform: Pick<Platform, "now" | "later" | "newId">;
  readonly limits: ClientLimits;
  readonly send: (text: string) => void;
}

class SocketRequests implements Requests {
  private readonly options: RequestsOptions;
  private readonly pending = new Map<string, Pending>();
  private readonly pace: Pace;
  private isOver = false;

  constructor(options: RequestsOptions) {
    this.options = options;
    this.pace = createPace(options.platform, options.limits);
  }

  async request(message: OutgoingMessage): Promise<Incoming> {
    if (this.isOver) throw new ClientProblem("OFFLINE", { retryable: true });
    const requestId = this.options.platform.newId();
    const { text, bytes, most } = this.frameOf({ ...message, requestId });
    // Too large a frame would close the connection (rule WS12).
    if (bytes > most)
      throw new ClientProblem("PAYLOAD_TOO_LARGE", { message: `A message has at most ${most} bytes.` });
    if (this.pending.size >= MAX_WAITING)
      throw new ClientProblem("RATE_LIMITED", { retryable: true, retryAfterMs: ANSWER_MS });
    const { promise, resolve, reject } = Promise.withResolvers<Incoming>();
    const fresh = { isUnderWay: false, refusals: 0, cancelTimer: () => undefined };
    const entry: Pending = { text, bytes, ...fresh, resolve, reject };
    this.pending.set(requestId, entry);
    this.put(requestId, entry);
    return promise;
  }

  cast(message: OutgoingMessage): void {
    if (this.isOver || this.pace.waiting >= MAX_WAITING) return;
    const { text, bytes, most } = this.frameOf(message);
    const send = (): boolean => {
      this.options.send(text);
      return true;
    };
    if (bytes <= most) this.pace.add({ bytes, isAnswered: false, send });
  }

  urgent(message: OutgoingMessage): void {
    this.pace.charge();
    this.options.send(JSON.stringify(message));
  }

  answer(message: Incoming): boolean {
    const id = requestIdOf(message);
    const entry = id === undefined ? undefined : this.pending.get(id);
    if (id === undefined || entry?.isUnderWay !== true) return false;
    if (message.type === "error") this.refused(id, entry, message);
    else {
      this.settle(id, entry);
      entry.resolve(message);
    }
    return true;
  }

  end(): void {
    this.isOver = true;
    this.pace.stop();
    for (const [id, entry] of this.pending) {
      const code = entry.isUnderWay ? "NO_ANSWER" : "OFFLINE";
      this.fail(id, entry, new ClientProblem(code, { retryable: true, requestId: id }));
    }
  }

  private put(id: string, entry: Pending): void {
    const { platform, send } = this.options;
    const transmit = (): boolean => {
      if (this.pending.get(id) !== entry) return false;
      entry.isUnderWay = true;
      entry.cancelTimer = platform.later(ANSWER_MS, () =>
        this.fail(id, entry, new ClientProblem("NO_ANSWER", { retryable: true, requestId: id })),
      );
      send(entry.text);
      return true;
    };
    this.pace.add({ bytes: entry.bytes, isAnswered: true, send: transmit });
  }

  /** Only frames that the server refused unprocessed are resent, with the same id. */
  private refused(id: string, entry: Pending, error: SocketError): void {
    const { code, retryable, retryAfterMs = 0 } = error;
    const mayGoAgain = entry.refusals < MAX_REFUSALS && retryAfterMs <= LONGEST_WAIT_MS;
    if (code !== "RATE_LIMITED" || !retryable || !mayGoAgain) return this.fail(id, entry, problemOf(error));
    entry.refusals += 1;
    this.rest(entry);
    entry.cancelTimer = this.options.platform.later(retryAfterMs, () => this.put(id, entry));
  }

  private fail(id: string, entry: Pending, problem: ClientProblem): void {
    this.settle(id, entry);
    entry.reject(problem);
  }

  private settle(id: string, entry: Pending): void {
    this.pending.delete(id);
    this.rest(entry);
  }

  /** Answered or abandoned. */
  private rest(entry: Pending): void {
    entry.cancelTimer();
    if (!entry.isUnderWay) return;
    entry.isUnderWay = false;
    this.pace.settle(entry.bytes);
  }

  private frameOf(message: OutgoingMessage): { text: string; bytes: number; most: number } {
    const { accountSyncBytes, messageBytes } = this.options.limits;
    const text = JSON.stringify(message);
    const most = message.type === "account_sync" ? accountSyncBytes : messageBytes;
    return { text, bytes: encoder.encode(text).length, most };
  }
}

export const createRequests = (options: RequestsOptions): Requests => new SocketRequests(options);

/** A relayed message is never an answer. */
const requestIdOf = (message: Incoming): string | undefined =>
  !("fromUserId" in message) && "requestId" in message && typeof message.requestId === "string"
    ? message.requestId
    : undefined;
