import { mkdirSync } from "node:fs";
import path from "node:path";
import { authSubjects } from "@hearth/contracts";
import {
  AUTH_DATABASE,
  createAuthService,
  createSqliteAuthStore,
  readAuthConfig,
} from "@hearth/auth-service";
import {
  createDiscoveryService,
  createSqliteDiscoveryStore,
  readDiscoveryConfig,
} from "@hearth/discovery-service";
import { createGateway, createLocalUpstream, readGatewayConfig } from "@hearth/gateway";
import {
  createMemoryCarrier,
  createPresenceService,
  MemoryRoster,
  MemoryVoiceLeases,
  VOICE_TTL_MS,
} from "@hearth/presence-service";
import {
  createHttpListener,
  createInternalServer,
  createJwtVerifier,
  createLifecycle,
  createLog,
  createMemoryBus,
  createMemoryLimiters,
  createMetrics,
  readVariablesFile,
  StartError,
  systemClock as clock,
} from "@hearth/runtime";
import { createSyncService } from "@hearth/sync-service";
import { banner, readServerConfig } from "./server-config.ts";

/** The embedded mode: every service in one process, on an in-process bus, SQLite and memory. */
const main = async (): Promise<void> => {
  const config = readServerConfig();
  const authConfig = readAuthConfig();
  const discoveryConfig = readDiscoveryConfig();
  const gatewayConfig = readGatewayConfig(readVariablesFile(path.join(config.dataDir, "variables.json")));
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });

  const log = createLog({ name: "hearth", level: config.logLevel });
  const metrics = createMetrics();
  const bus = createMemoryBus({ log, metrics });
  const limiters = createMemoryLimiters();
  const identity = createJwtVerifier({ keys: () => bus.request(authSubjects.keys, {}), clock });
  const file = (name: string): string => path.join(config.dataDir, name);
  const shared = { bus, limiters, identity, log, metrics, clock };

  const auth = createAuthService({
    ...shared,
    store: createSqliteAuthStore({ file: file(AUTH_DATABASE), log }),
    config: authConfig,
  });
  const discovery = createDiscoveryService({
    ...shared,
    store: createSqliteDiscoveryStore({ file: file("discovery.db"), log }),
    config: discoveryConfig,
  });
  const presence = createPresenceService({
    ...shared,
    roster: new MemoryRoster(clock),
    leases: new MemoryVoiceLeases(clock, VOICE_TTL_MS),
    carrier: createMemoryCarrier(),
  });
  const sync = createSyncService(shared);
  const gateway = createGateway({
    ...shared,
    upstreams: {
      auth: createLocalUpstream(auth),
      discovery: createLocalUpstream(discovery),
      presence: createLocalUpstream(presence),
    },
    config: gatewayConfig,
  });

  const { listener, onUpgrade } = gateway;
  const door = createHttpListener({
    name: "door",
    host: config.host,
    port: config.port,
    listener,
    onUpgrade,
    log,
  });
  const modules = [auth, discovery, sync, presence];
  const internal = createInternalServer({ ...config.metrics, metrics, modules, log });

  const lifecycle = createLifecycle({ log });
  const parts = [
    internal,
    { name: "bus", stop: () => bus.close() },
    ...modules,
    { ...gateway, name: "gateway" },
    door,
  ];
  for (const part of parts) lifecycle.add(part);
  lifecycle.handleSignals();
  await lifecycle.start();
  console.log(
    banner({ ...config, port: door.port, metricsPort: internal.port, version: gatewayConfig.version }),
  );
};

try {
  await main();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
