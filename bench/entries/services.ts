import { mkdirSync } from "node:fs";
import path from "node:path";
import { AUTH_DATABASE, createAuthService, createSqliteAuthStore } from "@hearth/auth-service";
import { authSubjects } from "@hearth/contracts";
import { createDiscoveryService, createSqliteDiscoveryStore } from "@hearth/discovery-service";
import { createGatewayService, createLocalUpstream, createRemoteUpstream } from "@hearth/gateway";
import {
  createHttpListener,
  createJwtVerifier,
  createLifecycle,
  createLog,
  createMemoryLimiters,
  createMetrics,
  systemClock as clock,
} from "@hearth/runtime";
import { createNatsBus } from "@hearth/runtime/network";
import { createSyncService } from "@hearth/sync-service";
import { until } from "@hearth/runtime/testing/until";
import { readServerConfig } from "../../server-config.ts";

/**
 * A cluster without presence in one process: the real services on SQLite instead of MongoDB, on the presence nodes'
 * NATS. They respond as quickly as in the embedded mode, so that the difference is the network.
 */
const config = readServerConfig();
const log = createLog({ name: "services" });
const metrics = createMetrics();
const bus = createNatsBus({
  log,
  metrics,
  name: "services",
  servers: [process.env["NATS_SERVERS"] ?? ""],
  user: process.env["NATS_USER"] ?? "",
  password: process.env["NATS_PASSWORD"] ?? "",
});
const limiters = createMemoryLimiters(metrics);
const identity = createJwtVerifier({ keys: () => bus.request(authSubjects.keys, {}), clock });
const shared = { bus, limiters, identity, log, metrics, clock };
mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
const file = (name: string): string => path.join(config.dataDir, name);

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
const upstreams = {
  auth: createLocalUpstream(auth),
  discovery: createLocalUpstream(discovery),
  // Nothing reaches presence this way here.
  presence: createRemoteUpstream({ name: "presence", urls: [`http://${config.host}:9`], log }),
};
const gateway = createGatewayService({ ...shared, upstreams, config: config.gateway });
const { listener, onUpgrade } = gateway;
const { host, port } = config;
const door = createHttpListener({ name: "door", host, port, listener, onUpgrade, log });
const parts = [{ name: "bus", stop: () => bus.close() }, auth, discovery, createSyncService(shared)];
const lifecycle = createLifecycle({ log });
for (const part of [...parts, { ...gateway, name: "gateway" }, door]) lifecycle.add(part);
lifecycle.handleSignals();
await until(() => bus.connected);
await lifecycle.start();
