import { ProblemError } from "@hearth/contracts";
import mongoose from "mongoose";
import type { Connection, ConnectOptions } from "mongoose";
import { codeOf } from "../errors/error-code.ts";
import type { Log } from "../log/log.ts";
import { TroubleLog } from "../log/trouble-log.ts";
import { retry } from "../timing/retry.ts";
import { within } from "../timing/within.ts";

export interface MongoOptions {
  /** `mongodb://host:port/database`, without credentials. */
  readonly url: string;
  readonly user?: string;
  readonly password?: string;
  readonly log: Log;
  /** How long one step of a call may take; default 2,500. */
  readonly patienceMs?: number;
  /** How long one call of a store may take, with all its steps; default 3,500. */
  readonly deadlineMs?: number;
}

const DUPLICATE_KEY = 11_000;
/** Less than the gateway waits (GW5). The driver's default is 30 s. */
const PATIENCE_MS = 2_500;
const DEADLINE_MS = 3_500;
const RETRY_MS = 500;

/** True for the error of a write that would have made a second document with the same unique value. */
export const isDuplicateKey = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === DUPLICATE_KEY;

/** True for an error that a reachable server answered, other than a duplicate key. */
export const isRefusedByServer = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoServerError && !isDuplicateKey(error);

/** True for a mistake in our code, which a retry cannot mend. */
const isMistake = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof mongoose.Error.ValidationError ||
  error instanceof mongoose.Error.CastError ||
  error instanceof mongoose.Error.StrictModeError;

/** A connection that dials until it succeeds. Calls before that are refused with `UNAVAILABLE` (rule ER6). */
export class Mongo {
  readonly connection: Connection;
  readonly #log: Log;
  readonly #deadlineMs: number;
  readonly #trouble: TroubleLog;
  readonly #closing = new AbortController();

  constructor({
    url,
    user,
    password,
    log,
    patienceMs = PATIENCE_MS,
    deadlineMs = DEADLINE_MS,
  }: MongoOptions) {
    this.#log = log;
    this.#trouble = new TroubleLog(log, "error");
    this.#deadlineMs = deadlineMs;
    this.connection = mongoose.createConnection();
    void this.#dial(url, {
      // The deployment's one user is in `admin`.
      ...(user !== undefined && password !== undefined && { user, pass: password, authSource: "admin" }),
      autoIndex: false,
      autoCreate: false,
      bufferCommands: false,
      serverSelectionTimeoutMS: patienceMs,
      connectTimeoutMS: patienceMs,
      socketTimeoutMS: patienceMs,
      waitQueueTimeoutMS: patienceMs,
      heartbeatFrequencyMS: 1_000,
      writeConcern: { w: "majority", journal: true, wtimeoutMS: patienceMs },
    });
  }

  /** Whether a call made now would be served. */
  get ready(): boolean {
    return !this.closed.aborted && this.connection.readyState === mongoose.ConnectionStates.connected;
  }

  /** Aborted once it is closed. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  /** One call of a store: rejects with `UNAVAILABLE` while MongoDB cannot serve; a duplicate key passes through. */
  async call<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.closed.aborted) throw new ProblemError("UNAVAILABLE", "The store is closed");
    try {
      // A write that is late may still happen; the caller learns in time that its outcome is unknown.
      const result = await within(this.#deadlineMs, work(), () => new ProblemError("UNAVAILABLE"));
      this.#trouble.clear();
      return result;
    } catch (error) {
      if (error instanceof ProblemError || isDuplicateKey(error) || isMistake(error)) throw error;
      this.#trouble.report(codeOf(error), "MongoDB cannot serve");
      throw new ProblemError("UNAVAILABLE");
    }
  }

  /** Refuses to serve because of the stored data. */
  refuse(what: string): never {
    this.#trouble.report("unknown", what);
    throw new ProblemError("UNAVAILABLE");
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.connection.close();
  }

  /** The driver reconnects by itself only after a first connection. */
  async #dial(url: string, options: ConnectOptions): Promise<void> {
    const dialled = retry(() => this.connection.openUri(url, options), {
      delayMs: RETRY_MS,
      signal: this.closed,
      onFailure: (error) => this.#trouble.report(codeOf(error), "MongoDB cannot be reached"),
    });
    await dialled.then(
      () => this.#log.info({}, "MongoDB is connected"),
      () => undefined,
    );
  }
}

export const openMongo = (options: MongoOptions): Mongo => new Mongo(options);

/** The guard around the parts of a store: see {@link guardedByMongo}. */
export interface MongoGuard {
  /** Returns the part with all methods wrapped in {@link Mongo.call}. */
  readonly guard: <Part extends object>(part: Part) => Part;
  readonly ready: () => boolean;
}

/**
 * Makes every call wait until `prepare` has succeeded once: without its indexes a store would accept a name twice.
 * `prepare` runs as soon as there is a connection, and again until it succeeds, so a store becomes ready by itself.
 */
export function guardedByMongo(mongo: Mongo, prepare: () => Promise<void>): MongoGuard {
  type Method = (...args: readonly unknown[]) => Promise<unknown>;
  let preparing: Promise<void> | undefined;
  let prepared = false;
  const prepareOnce = async (): Promise<void> => {
    try {
      await (preparing ??= prepare());
      prepared = true;
    } catch (error) {
      preparing = undefined;
      if (!isDuplicateKey(error)) throw error;
      mongo.refuse("what is stored breaks a unique index");
    }
  };
  const prepareSoon = (): Promise<void> =>
    retry(() => mongo.call(prepareOnce), { delayMs: RETRY_MS, signal: mongo.closed });
  // Rejects only when it is closed before.
  mongo.connection.once("connected", () => void prepareSoon().catch(() => undefined));
  const guarded =
    (method: Method): Method =>
    (...args) =>
      mongo.call(async () => {
        if (!prepared) await prepareOnce();
        return method(...args);
      });
  return {
    guard: <Part extends object>(part: Part): Part => {
      const methods = Object.entries(part).map(([name, method]) => [name, guarded(method as Method)]);
      return Object.fromEntries(methods) as Part;
    },
    ready: () => prepared && mongo.ready,
  };
}
