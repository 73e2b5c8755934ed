import type { Duplex } from "node:stream";
import { SERVICES, ProblemError, authSubjects, healthSubject } from "@hearth/contracts";
import type { ServiceName, VerifiedSession } from "@hearth/contracts";
import {
  createHttpListener,
  createMemoryBus,
  createMemoryLimiters,
  createMetrics,
  newId,
  randomToken,
} from "@hearth/runtime";
import type { Bus, HttpListener, Metrics, ServiceModule } from "@hearth/runtime";
import { createTestIdentity, manualClock, recordedLog } from "@hearth/runtime/testing";
import type { ManualClock, RecordedLog } from "@hearth/runtime/testing";
import { readGatewayConfig } from "../config.ts";
import { createGatewayService } from "../service.ts";
import type { Gateway, Upstreams } from "../service.ts";
import { createLocalUpstream } from "../upstreams/upstream.local.ts";
import { createRemoteUpstream } from "../upstreams/upstream.remote.ts";
import type { Upstream } from "../upstreams/upstream.ts";
import { createPresenceStandIn, createRestStandIn } from "./stand-ins.ts";
import type { Arrival, StandIn, StandInDeps } from "./stand-ins.ts";

export type Twin = "local" | "remote";

/** Of the gateway before remote services. */
export const GATEWAY_ID = "gateway-of-the-test";

export interface WorldOptions {
  readonly twin?: Twin;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly webRoot?: string;
  /** How services answer for their health; ready unless said otherwise. */
  readonly health?: Partial<Record<ServiceName, () => Promise<{ ready: boolean }>>>;
  /** Instead of the stand-ins. */
  readonly upstreams?: Partial<Upstreams>;
}

export interface SignedIn {
  readonly token: string;
  readonly session: VerifiedSession;
}

export interface AuthStandIn {
  /** How auth answers `auth.exchange`; replaceable. */
  exchange: (token: string) => Promise<VerifiedSession>;
  /** How often auth was asked. */
  readonly asked: { count: number };
  signIn(): SignedIn;
  /** Revokes: auth refuses the token from now on, and says so. */
  end(signedIn: SignedIn): Promise<void>;
}

/** A gateway on a real port, with stand-ins for everything behind it. */
export interface World {
  readonly gateway: Gateway;
  readonly port: number;
  readonly bus: Bus;
  readonly clock: ManualClock;
  readonly metrics: Metrics;
  readonly log: RecordedLog;
  readonly arrivals: Arrival[];
  readonly calls: StandInDeps["calls"];
  readonly services: Readonly<Record<"auth" | "discovery" | "presence", StandIn>>;
  readonly auth: AuthStandIn;
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  close(): Promise<void>;
}

async function listen(service: ServiceModule, log: RecordedLog): Promise<HttpListener> {
  const listener = createHttpListener({
    host: "127.0.0.1",
    port: 0,
    log: log.log,
    listener: (request, response) => service.routes?.(request, response),
    onUpgrade: (request, socket, head) => service.upgrade?.(request, socket, head),
  });
  await listener.start();
  return listener;
}

async function upstreamOf(
  service: StandIn,
  twin: Twin,
  log: RecordedLog,
  open: HttpListener[],
): Promise<Upstream> {
  if (twin === "local") return createLocalUpstream(service);
  const listener = await listen(service, log);
  open.push(listener);
  return createRemoteUpstream({
    name: service.name,
    urls: [`http://127.0.0.1:${listener.port}`],
    log: log.log,
    gatewayId: GATEWAY_ID,
  });
}

/** Auth as far as the gateway knows it: tokens, their sessions, and JWTs that the stand-ins' edges accept. */
async function createAuth(bus: Bus, clock: ManualClock) {
  const identity = await createTestIdentity(clock);
  const sessions = new Map<string, VerifiedSession>();
  const auth = {
    identity,
    asked: { count: 0 },
    exchange: async (token: string): Promise<VerifiedSession> => {
      const session = sessions.get(token);
      if (!session) throw new ProblemError("AUTH_INVALID", undefined, { reason: "unknown" });
      return session;
    },
    signIn(): SignedIn {
      const token = randomToken();
      const expiresAt = clock.now() + 3_600_000;
      const session = { userId: newId(), username: "ada", displayName: "Ada", sessionId: newId(), expiresAt };
      sessions.set(token, session);
      return { token, session };
    },
    async end({ token, session }: SignedIn): Promise<void> {
      sessions.delete(token);
      const { sessionId, userId } = session;
      await bus.publish(authSubjects.sessionEnded, { sessionId, userId, reason: "revoked" });
    },
  };
  bus.answer(authSubjects.exchange, async ({ token }) => {
    auth.asked.count += 1;
    const session = await auth.exchange(token);
    const jwt = await identity.jwtOf(session);
    return { session, jwt, jwtExpiresAt: clock.now() + 60_000 };
  });
  return auth;
}

/** The services behind the gateway, and the listeners of those that are reached over the network. */
async function createServices(
  deps: StandInDeps,
  log: RecordedLog,
  { twin = "local", upstreams }: WorldOptions,
) {
  const services = {
    auth: createRestStandIn("auth", deps),
    discovery: createRestStandIn("discovery", deps),
    presence: createPresenceStandIn(deps),
  };
  const open: HttpListener[] = [];
  return {
    services,
    open,
    upstreams: {
      auth: upstreams?.auth ?? (await upstreamOf(services.auth, twin, log, open)),
      discovery: upstreams?.discovery ?? (await upstreamOf(services.discovery, twin, log, open)),
      presence: upstreams?.presence ?? (await upstreamOf(services.presence, twin, log, open)),
    },
  };
}

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const { variables = {}, env = {}, webRoot } = options;
  const log = recordedLog();
  const clock = manualClock(Date.now());
  const metrics = createMetrics({ process: false });
  const bus = createMemoryBus({ log: log.log });
  const auth = await createAuth(bus, clock);
  const observed = { arrivals: [], calls: [] };
  const deps = { log: log.log, metrics, identity: auth.identity.verifier, ...observed };
  const { services, open, upstreams } = await createServices(deps, log, options);
  for (const name of SERVICES) {
    bus.answer(healthSubject(name), options.health?.[name] ?? (async () => ({ ready: true })));
  }
  const config = readGatewayConfig(variables, env);
  const limiters = createMemoryLimiters();
  const gateway = createGatewayService({
    upstreams,
    bus,
    limiters,
    config,
    log: log.log,
    metrics,
    clock,
    webRoot,
    ...(options.twin === "remote" && { id: GATEWAY_ID }),
  });
  await gateway.start();
  const upgraded = new Set<Duplex>();
  const { listener } = gateway;
  const onUpgrade: Gateway["onUpgrade"] = (request, socket, head) => {
    upgraded.add(socket);
    gateway.onUpgrade(request, socket, head);
  };
  const where = { host: "127.0.0.1", port: 0, log: log.log, stopLimitMs: 200 };
  const door = createHttpListener({ ...where, listener, onUpgrade, limits: gateway.connectionLimits });
  await door.start();
  return {
    ...observed,
    gateway,
    port: door.port,
    bus,
    clock,
    metrics,
    log,
    services,
    auth,
    fetch: (path, init) => fetch(`http://127.0.0.1:${door.port}${path}`, init),
    async close() {
      for (const socket of upgraded) socket.destroy();
      await door.stop();
      await gateway.stop();
      for (const listener of open) await listener.stop();
      await bus.close();
    },
  };
}
