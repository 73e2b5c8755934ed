import { authSubjects } from "@hearth/contracts";
import { createJwtVerifier, createLog, createMetrics, systemClock as clock } from "@hearth/runtime";
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
import { readDiscoveryConfig } from "./config.ts";
import { createDiscoveryService } from "./service.ts";
import { createMongoDiscoveryStore } from "./store.mongo.ts";

const needs = {
  ...networkVariables.bus,
  ...networkVariables.redis,
  ...networkVariables.mongo,
  ...networkVariables.internal,
};

/** The service in a process of its own; every address comes from the environment. */
await runMain(async () => {
  const {
    process: config,
    network,
    own,
  } = readProcessConfig("discovery", needs, readDiscoveryConfig, process.env);
  const log = createLog({ name: "discovery", level: config.logLevel });
  const metrics = createMetrics();
  const bus = createNatsBus({
    log,
    metrics,
    name: "discovery",
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
  const service = createDiscoveryService({
    store: createMongoDiscoveryStore(mongo),
    bus,
    limiters: createRedisLimiters(redis, metrics),
    identity: createJwtVerifier({ keys: () => bus.request(authSubjects.keys, {}), clock }),
    log,
    metrics,
    clock,
    config: own,
  });
  const door = { secret: network.INTERNAL_SECRET, routes: service.routes };
  const connections = [
    { name: "redis", stop: async () => redis.disconnect() },
    { name: "mongo", stop: () => mongo.close() },
  ];
  await runServiceProcess({ config, log, metrics, bus, service, door, connections });
});
