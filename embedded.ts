import { mkdirSync } from "node:fs";
import path from "node:path";
import { AUTH_DATABASE, createAuthService, createSqliteAuthStore } from "@hearth/auth-service";
import { authSubjects } from "@hearth/contracts";
import { createDiscoveryService, createSqliteDiscoveryStore } from "@hearth/discovery-service";
import { createGatewayService, createLocalUpstream } from "@hearth/gateway";
import {
  createMemoryCarrier,
  createPresenceService,
  createMemoryRoster,
  createMemoryVoiceLeases,
  VOICE_TTL_MS,
} from "@hearth/presence-service";
import {
  type Bus,
  createHttpListener,
  createIdleMemory,
  createInternalServer,
  createJwtVerifier,
  createLifecycle,
  createLog,
  createMemoryBus,
  createMemoryLimiters,
  createMetrics,
  type HttpListener,
  type Lifecycle,
  type Log,
  type Metrics,
  systemClock as clock,
} from "@hearth/runtime";
import { createSyncService } from "@hearth/sync-service";
import type { ServerConfig } from "./server-config.ts";

/** The whole server, ready to be started. */
export interface EmbeddedServer {
  readonly lifecycle: Lifecycle;
  /** The public address. */
  readonly door: HttpListener;
  /** Metrics and readiness. */
  readonly internal: HttpListener;
  readonly version: string;
}

/**
 * The embedded mode: every service in one process, on SQLite and memory. `wrapBus` lets a test put faults between
 * the services.
 */
export const createEmbeddedServer = (
  config: ServerConfig,
  wrapBus: (bus: Bus) => Bus = (bus) => bus,
): EmbeddedServer => {
  const log = createLog({ name: "hearth", level: config.logLevel });
  const metrics = createMetrics();
  const bus = wrapBus(createMemoryBus({ log, metrics }));
  const { modules, gateway, version } = createServices(config, bus, log, metrics);
  const { listener, onUpgrade, connectionLimits: limits } = gateway;
  const { host, port } = config;
  const door = createHttpListener({ name: "door", host, port, listener, onUpgrade, limits, log });
  const internal = createInternalServer({ ...config.metrics, metrics, modules, log });
  const lifecycle = createLifecycle({ log });
  const inOrder = [
    internal,
    { name: "bus", stop: () => bus.close() },
    ...modules,
    { ...gateway, name: "gateway" },
    door,
    createIdleMemory(),
  ];
  for (const part of inOrder) lifecycle.add(part);
  return { lifecycle, door, internal, version };
};

const createServices = (config: ServerConfig, bus: Bus, log: Log, metrics: Metrics) => {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const file = (name: string): string => path.join(config.dataDir, name);
  const limiters = createMemoryLimiters(metrics);
  const identity = createJwtVerifier({ keys: () => bus.request(authSubjects.keys, {}), clock });
  const shared = { bus, limiters, identity, log, metrics, clock };

  const auth = createAuthService({
    ...shared,
    store: createSqliteAuthStore({ file: file(AUTH_DATABASE), log }),
    config: config.auth,
  });
  const discovery = createDiscoveryService({
    ...shared,
    store: createSqliteDiscoveryStore({ file: file("discovery.db"), log }),
    config: config.discovery,
  });
  const presence = createPresenceService({
    ...shared,
    roster: createMemoryRoster(clock),
    leases: createMemoryVoiceLeases(clock, VOICE_TTL_MS),
    carrier: createMemoryCarrier(),
    budgets: config.presence.budgets,
  });
  const upstreams = {
    auth: createLocalUpstream(auth),
    discovery: createLocalUpstream(discovery),
    presence: createLocalUpstream(presence),
  };
  const gateway = createGatewayService({
    ...shared,
    upstreams,
    config: config.gateway,
    webRoot: config.webRoot,
  });
  return {
    modules: [auth, discovery, createSyncService(shared), presence],
    gateway,
    version: config.gateway.version,
  };
};
