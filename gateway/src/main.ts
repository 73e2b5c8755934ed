import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { systemClock as clock, variables } from "@hearth/runtime";
import {
  connectRedis,
  createRedisLimiters,
  networkVariables,
  openProcess,
  readProcessConfig,
  runMain,
  runServiceProcess,
} from "@hearth/runtime/network";
import { readGatewayConfig } from "./config.ts";
import { createGatewayService } from "./service.ts";
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

/** How long the gateway may take to stop. */
const STOP_LIMIT_MS = 5_000;

/** The gateway in a process of its own. Every address comes from the environment. */
await runMain(async () => {
  const opened = openProcess(
    "gateway",
    readProcessConfig("gateway", needs, (env) => readGatewayConfig({}, env), process.env),
  );
  const { network, log, metrics, bus } = opened;
  const id = randomUUID();
  const remote = (name: string, urls: readonly string[]) =>
    createRemoteUpstream({ name, urls, log, secret: network.INTERNAL_SECRET, gatewayId: id });
  const gateway = createGatewayService({
    id,
    upstreams: {
      auth: remote("auth", network.AUTH_URLS),
      discovery: remote("discovery", network.DISCOVERY_URLS),
      presence: remote("presence", network.PRESENCE_URLS),
    },
    bus,
    limiters: createRedisLimiters(connectRedis(opened), "gateway", metrics),
    config: opened.own,
    log,
    metrics,
    clock,
    webRoot: network.WEB_ROOT,
  });
  // Asks clients with a kept connection to open one elsewhere before this gateway ends.
  const door = (ready: () => boolean) => ({
    onUpgrade: gateway.onUpgrade,
    limits: gateway.connectionLimits,
    listener: ((request, response) => {
      if (!ready()) response.shouldKeepAlive = false;
      gateway.listener(request, response);
    }) satisfies RequestListener,
  });
  await runServiceProcess({ ...opened, service: gateway, door, stopLimitMs: STOP_LIMIT_MS });
});
