import { createLog, createMetrics, systemClock as clock } from "@hearth/runtime";
import {
  createNatsBus,
  createRedisLimiters,
  networkVariables,
  openMongo,
  openRedis,
  readProcessConfig,
  runMain,
  runServiceProcess,
} from "@hearth/runtime/network";
import { readAuthConfig } from "./config.ts";
import { createAuthService } from "./service.ts";
import { createMongoAuthStore } from "./store.mongo.ts";

const needs = {
  ...networkVariables.bus,
  ...networkVariables.redis,
  ...networkVariables.mongo,
  ...networkVariables.internal,
};

/** Less than the gateway waits for an answer, so that a queue of passwords is a 503 with `Retry-After`. */
const HASHING_PATIENCE_MS = 3_500;

/** The service in a process of its own; every address comes from the environment. */
await runMain(async () => {
  const { process: config, network, own } = readProcessConfig("auth", needs, readAuthConfig, process.env);
  const log = createLog({ name: "auth", level: config.logLevel });
  const metrics = createMetrics();
  const bus = createNatsBus({
    log,
    metrics,
    name: "auth",
    servers: network.NATS_SERVERS,
    user: network.NATS_USER,
    password: network.NATS_PASSWORD,
  });
  const redis = openRedis({ url: network.REDIS_URL, password: network.REDIS_PASSWORD, log });
  const mongo = openMongo({
    url: network.MONGODB_URL,
    user: network.MONGODB_USER,
    password: network.MONGODB_PASSWORD,
    log,
  });
  const service = createAuthService({
    store: createMongoAuthStore(mongo, log),
    bus,
    limiters: createRedisLimiters(redis, metrics),
    log,
    metrics,
    clock,
    config: own,
    hashingPatienceMs: HASHING_PATIENCE_MS,
  });
  const door = { secret: network.INTERNAL_SECRET, routes: service.routes };
  const connections = [
    { name: "redis", stop: async () => redis.disconnect() },
    { name: "mongo", stop: () => mongo.close() },
  ];
  await runServiceProcess({ config, log, metrics, bus, service, door, connections });
});
