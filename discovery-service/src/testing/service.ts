import type { RequestListener } from "node:http";
import { discoverySubjects, healthSubject, joinedServerSchema, serverSchema } from "@hearth/contracts";
import type { EventSubject, JoinedServer, Server } from "@hearth/contracts";
import { createMemoryBus, createMemoryLimiters, createMetrics, newId } from "@hearth/runtime";
import type { Bus, Metrics, ServiceModule } from "@hearth/runtime";
import { createTestIdentity, manualClock, recordedLog, serve } from "@hearth/runtime/testing";
import type { ManualClock, RecordedLog } from "@hearth/runtime/testing";
import { AMPLE_QUOTAS } from "./records.ts";
import { createDiscoveryService, createSqliteDiscoveryStore } from "../index.ts";
import type { Quotas } from "../domain/quotas.ts";
import type { DiscoveryStore } from "../index.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export type Send = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** A user with a token. */
export interface TestUser {
  readonly userId: string;
  readonly username: string;
  readonly displayName: string;
  readonly send: Send;
  /** Creates a server; throws if that fails. */
  readonly create: (body?: Record<string, unknown>) => Promise<JoinedServer>;
  /** A server as this user sees it; throws if it cannot be read. */
  readonly see: (serverId: string) => Promise<Server>;
}

export interface ReceivedEvent {
  readonly subject: string;
  readonly payload: unknown;
}

/** The service as it runs, over real HTTP, with the bus of one process. */
export interface TestDiscovery {
  readonly url: string;
  readonly bus: Bus;
  readonly store: DiscoveryStore;
  readonly clock: ManualClock;
  readonly log: RecordedLog;
  readonly metrics: Metrics;
  readonly service: ServiceModule;
  /** Runs `act` once, right before the service next calls that method of its store, to force a lost race. */
  readonly before: (method: string, act: () => unknown) => void;
  readonly user: (displayName?: string) => TestUser;
  /** Without a token. */
  readonly anybody: Send;
  /** Another process of the service, over the same store and bus. */
  readonly replica: () => Promise<{ anybody: Send; stop: () => Promise<void> }>;
  /** The events published since the last call. */
  readonly events: () => Promise<ReceivedEvent[]>;
  readonly stop: () => Promise<void>;
}

export interface TestDiscoveryOptions {
  readonly featuredServers?: readonly string[];
  readonly quotas?: Partial<Quotas>;
  readonly file?: string;
}

const EVENT_SUBJECTS: readonly EventSubject<unknown>[] = [
  discoverySubjects.membershipEnded,
  discoverySubjects.serverDeleted,
  discoverySubjects.serverUpdated,
  discoverySubjects.memberUpdated,
  discoverySubjects.requestUpdated,
];

const sender =
  (url: string, headers: () => Promise<Record<string, string>>): Send =>
  async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...(await headers()), ...(body !== undefined && { "content-type": "application/json" }) },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? undefined : (JSON.parse(text) as unknown),
    };
  };

function userOf(userId: string, username: string, displayName: string, send: Send): TestUser {
  return {
    userId,
    username,
    displayName,
    send,
    create: async (body = {}) => {
      const { body: created } = await send("POST", "/api/servers", { name: "A server", ...body });
      return joinedServerSchema.parse(created);
    },
    see: async (serverId) => serverSchema.parse((await send("GET", `/api/servers/${serverId}`)).body),
  };
}

/** Collects events. They arrive in publishing order, so all that precede a health request have arrived with its answer. */
function watch(bus: Bus): TestDiscovery["events"] {
  let received: ReceivedEvent[] = [];
  for (const subject of EVENT_SUBJECTS) {
    bus.subscribe(subject, (payload) => void received.push({ subject: subject.name, payload }));
  }
  return async () => {
    await bus.request(healthSubject("discovery"), {});
    const events = received;
    received = [];
    return events;
  };
}

type Method = (...args: readonly unknown[]) => unknown;

/** A store whose methods, named like `bans.put`, can be preceded by another action. */
function interruptible(store: DiscoveryStore) {
  const plans = new Map<string, () => unknown>();
  const part = <Part extends object>(name: string, methods: Part): Part =>
    new Proxy(methods, {
      get(target, key) {
        const method = Reflect.get(target, key) as Method;
        return async (...args: readonly unknown[]) => {
          const plan = plans.get(`${name}.${String(key)}`);
          plans.delete(`${name}.${String(key)}`);
          await plan?.();
          return method(...args);
        };
      },
    });
  const interrupted: DiscoveryStore = {
    ...store,
    servers: part("servers", store.servers),
    members: part("members", store.members),
    bans: part("bans", store.bans),
    invites: part("invites", store.invites),
    requests: part("requests", store.requests),
    plugins: part("plugins", store.plugins),
    endings: part("endings", store.endings),
    featured: part("featured", store.featured),
    accounts: part("accounts", store.accounts),
  };
  return { interrupted, before: (method: string, act: () => unknown) => void plans.set(method, act) };
}

function routesOf({ routes }: ServiceModule): RequestListener {
  if (!routes) throw new Error("the service has no routes");
  return routes;
}

export async function startDiscovery(options: TestDiscoveryOptions = {}): Promise<TestDiscovery> {
  const { featuredServers = [], quotas = {}, file = ":memory:" } = options;
  const log = recordedLog();
  const clock = manualClock();
  const metrics = createMetrics({ process: false });
  const bus = createMemoryBus({ log: log.log });
  const store = createSqliteDiscoveryStore({ file, log: log.log });
  const { interrupted, before } = interruptible(store);
  const identity = await createTestIdentity(clock);
  const create = (of: DiscoveryStore) =>
    createDiscoveryService({
      store: of,
      bus,
      limiters: createMemoryLimiters(),
      identity: identity.verifier,
      log: log.log,
      metrics,
      clock,
      config: { featuredServers, quotas: { ...AMPLE_QUOTAS, ...quotas } },
      validateAnswers: true,
    });
  const service = create(interrupted);
  const events = watch(bus);
  await service.start();
  const http = await serve(routesOf(service));
  return {
    url: http.url,
    bus,
    store,
    clock,
    log,
    metrics,
    service,
    before,
    user: (displayName = "Somebody") => {
      const userId = newId();
      const username = displayName.toLowerCase();
      const headers = () => identity.headersOf({ userId, username, displayName });
      return userOf(userId, username, displayName, sender(http.url, headers));
    },
    anybody: sender(http.url, async () => ({})),
    replica: async () => {
      const other = create({ ...store, close: async () => undefined });
      await other.start();
      const { url, close } = await serve(routesOf(other));
      const stop = async () => {
        await close();
        await other.stop();
      };
      return { anybody: sender(url, async () => ({})), stop };
    },
    events,
    stop: async () => {
      await http.close();
      await service.stop();
      await bus.close();
    },
  };
}
