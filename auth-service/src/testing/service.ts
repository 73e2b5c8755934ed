import { ProblemError, authSubjects } from "@hearth/contracts";
import type { Credential, Problem, SessionEndReason } from "@hearth/contracts";
import { createMemoryBus, createMemoryLimiters, createMetrics, silentLog } from "@hearth/runtime";
import type { Bus, LimiterFactory, Log, Metrics } from "@hearth/runtime";
import { manualClock, serve } from "@hearth/runtime/testing";
import type { ManualClock } from "@hearth/runtime/testing";
import * as bcrypt from "bcrypt";
import { createAuthService, createSqliteAuthStore } from "../index.ts";
import type { AuthServiceDeps, AuthStore } from "../index.ts";
import type { Bcrypt } from "../domain/passwords/passwords.ts";

export const YEAR_MS = 365 * 24 * 60 * 60_000;
export const PASSWORD = "correct horse";

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Real bcrypt that counts its calls and can be made to wait. */
export class ObservedBcrypt implements Bcrypt {
  calls = 0;
  rounds = 0;
  /** Awaited before each new hash. */
  beforeHash: () => Promise<unknown> = async () => undefined;
  /** Awaited before each comparison. */
  beforeCompare: () => Promise<unknown> = async () => undefined;

  async hash(data: string, cost: number): Promise<string> {
    this.#count(cost);
    await this.beforeHash();
    return bcrypt.hash(data, cost);
  }

  async compare(data: string, hash: string): Promise<boolean> {
    this.#count(Number(hash.slice(4, 6)));
    await this.beforeCompare();
    return bcrypt.compare(data, hash);
  }

  #count(cost: number): void {
    this.calls += 1;
    this.rounds += 2 ** cost;
  }
}

interface Sent {
  /** A session token. It is exchanged for an internal JWT, as the gateway does. */
  readonly token?: string;
  readonly jwt?: string;
  readonly body?: unknown;
  /** The client's address as a gateway would pass it on. */
  readonly from?: string;
}

/** Ended sessions in the order of their announcements. */
export interface Ended {
  readonly sessionId: string;
  readonly userId: string;
  readonly reason: SessionEndReason;
}

/** One running auth-service over real HTTP, and the bus it is on. */
export interface RunningAuth {
  readonly bus: Bus;
  readonly store: AuthStore;
  readonly clock: ManualClock;
  readonly metrics: Metrics;
  readonly ended: readonly Ended[];
  send<Body = Problem>(method: string, path: string, sent?: Sent): Promise<Answer<Body>>;
  register(username: string, sent?: Sent): Promise<Credential>;
  login(username: string, password?: string, sent?: Sent): Promise<Answer<Credential & Problem>>;
  jwtOf(token: string): Promise<string>;
  sessionOf(token: string): Promise<string>;
  stop(): Promise<void>;
}

type Options = Partial<Omit<AuthServiceDeps, "clock" | "metrics">> & {
  readonly clock?: ManualClock;
  readonly log?: Log;
  readonly limiters?: LimiterFactory;
};

/** The cheapest cost that bcrypt knows. Tests check what is hashed, not how long it takes. */
export const testConfig = {
  sessionTtlMs: 10 * YEAR_MS,
  bcryptCost: 4,
  registration: "open",
  maxDeviceTokens: 16,
  // The clients of a test share one address.
  maxWaitingPerAddress: 256,
} as const;

async function request<Body>(url: string, method: string, sent: Omit<Sent, "token">): Promise<Answer<Body>> {
  const response = await fetch(url, {
    method,
    headers: {
      "x-forwarded-for": sent.from ?? "203.0.113.1",
      "user-agent": "a test",
      ...(sent.body === undefined ? {} : { "content-type": "application/json" }),
      ...(sent.jwt === undefined ? {} : { authorization: `Bearer ${sent.jwt}` }),
    },
    ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
  });
  const text = await response.text();
  const body = (text === "" ? undefined : JSON.parse(text)) as Body;
  return { status: response.status, headers: response.headers, body };
}

export async function startAuth(options: Options = {}): Promise<RunningAuth> {
  const clock = options.clock ?? manualClock();
  const log = options.log ?? silentLog;
  const bus = options.bus ?? createMemoryBus({ log });
  const store = options.store ?? createSqliteAuthStore({ file: ":memory:", log });
  const metrics = createMetrics({ process: false });
  const ended: Ended[] = [];
  bus.subscribe(authSubjects.sessionEnded, (event) => void ended.push(event));
  const service = createAuthService({
    limiters: createMemoryLimiters(),
    config: testConfig,
    ...options,
    store,
    bus,
    log,
    clock,
    metrics,
  });
  await service.start();
  const served = await serve(service.routes ?? (() => undefined));

  const exchange = (token: string) => bus.request(authSubjects.exchange, { token });
  const jwtOf = async (token: string) => (await exchange(token)).jwt;
  const send: RunningAuth["send"] = async (method, path, { token, ...sent } = {}) =>
    request(served.url + path, method, token === undefined ? sent : { ...sent, jwt: await jwtOf(token) });

  return {
    bus,
    store,
    clock,
    metrics,
    ended,
    send,
    jwtOf,
    sessionOf: async (token) => (await exchange(token)).session.sessionId,
    register: async (username, sent = {}) => {
      const body = { username, password: PASSWORD, ...(sent.body as object | undefined) };
      const answer: Answer<Credential> = await send("POST", "/api/users/register", { ...sent, body });
      if (answer.status !== 201) throw new Error(`register answered ${answer.status}`);
      return answer.body;
    },
    login: (username, password = PASSWORD, sent = {}) =>
      send("POST", "/api/users/login", { ...sent, body: { username, password } }),
    stop: async () => {
      await served.close();
      await service.stop();
      await bus.close();
    },
  };
}

/** Resolves when the bus has delivered everything published so far. */
export const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Such as `AUTH_INVALID revoked`; `good` if the call succeeds. */
export const refusalOf = (outcome: Promise<unknown>): Promise<string> =>
  outcome.then(
    () => "good",
    (error: unknown) => {
      if (!(error instanceof ProblemError)) throw error;
      return `${error.code} ${error.extras.reason ?? ""}`.trim();
    },
  );
