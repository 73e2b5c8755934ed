import type { RequestListener } from "node:http";
import { setTimeout } from "node:timers/promises";
import {
  createHttpListener,
  createInternalServer,
  createLifecycle,
  createLog,
  createMetrics,
  systemClock as clock,
  variables,
} from "@hearth/runtime";
import {
  createNatsBus,
  createRedisLimiters,
  networkVariables,
  openRedis,
  readProcessConfig,
  runMain,
} from "@hearth/runtime/network";
import { readGatewayConfig } from "./config.ts";
import { createGateway } from "./gateway.ts";
import { createRemoteUpstream } from "./upstreams/upstream.remote.ts";

const needs = {
  ...networkVariables.bus,
  ...networkVariables.redis,
  ...networkVariables.internal,
  AUTH_URLS: variables.urls(),
  DISCOVERY_URLS: variables.urls(),
  PRESENCE_URLS: variables.urls(),
  WEB_ROOT: variables.text().optional(),
};

/** Whoever spreads requests over several gateways sees within this time that one of them is about to stop. */
const DRAIN_MS = 1_500;

/** The public door in a process of its own; every address comes from the environment. */
await runMain(async () => {
  const {
    process: config,
    network,
    own,
  } = readProcessConfig("gateway", needs, (env) => readGatewayConfig({}, env), process.env);
  const log = createLog({ name: "gateway", level: config.logLevel });
  const metrics = createMetrics();
  const bus = createNatsBus({
    log,
    metrics,
    name: "gateway",
    servers: network.NATS_SERVERS,
    user: network.NATS_USER,
    password: network.NATS_PASSWORD,
  });
  const redis = openRedis({ url: network.REDIS_URL, password: network.REDIS_PASSWORD, log });
  const remote = (name: string, urls: readonly string[]) =>
    createRemoteUpstream({ name, urls, log, secret: network.INTERNAL_SECRET });
  const gateway = createGateway({
    upstreams: {
      auth: remote("auth", network.AUTH_URLS),
      discovery: remote("discovery", network.DISCOVERY_URLS),
      presence: remote("presence", network.PRESENCE_URLS),
    },
    bus,
    limiters: createRedisLimiters(redis, metrics),
    config: own,
    log,
    metrics,
    clock,
    webRoot: network.WEB_ROOT,
  });
  const { host, port } = config;
  const { listener, onUpgrade } = gateway;
  let draining = false;
  const lifecycle = createLifecycle({ log, hardLimitMs: DRAIN_MS + 8_500 });
  const door: RequestListener = (request, response) => {
    if (draining) response.shouldKeepAlive = false;
    listener(request, response);
  };
  const drain = async (): Promise<void> => {
    draining = true;
    await setTimeout(DRAIN_MS);
  };
  const readiness = { name: "gateway", ready: () => gateway.ready() && !draining };
  const parts = [
    createInternalServer({ ...config.metrics, metrics, modules: [readiness], log }),
    { name: "redis", stop: async () => redis.disconnect() },
    { name: "bus", stop: () => bus.close() },
    gateway,
    createHttpListener({ name: "door", host, port, listener: door, onUpgrade, log }),
    { name: "drain", stop: drain },
  ];
  for (const part of parts) lifecycle.add(part);
  lifecycle.handleSignals();
  await lifecycle.start();
  log.info({ host, port }, "the gateway runs");
});
