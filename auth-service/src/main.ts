import { systemClock as clock } from "@hearth/runtime";
import {
  connectMongo,
  connectRedis,
  createInternalDoor,
  createRedisLimiters,
  networkVariables,
  openProcess,
  readProcessConfig,
  runMain,
  runServiceProcess,
} from "@hearth/runtime/network";
import { readAuthConfig } from "./config.ts";
import { createAuthService } from "./service.ts";
import { createMongoAuthStore } from "./store/mongo/store.mongo.ts";

const { bus, redis, mongo, internal } = networkVariables;
const needs = { ...bus, ...redis, ...mongo, ...internal };

/** Less than the gateway's timeout, so that a long queue is a 503 with `Retry-After`. */
const HASHING_PATIENCE_MS = 3_500;

/** The service in a process of its own; every address comes from the environment. */
await runMain(async () => {
  const opened = openProcess("auth", readProcessConfig("auth", needs, readAuthConfig, process.env));
  const { network, own, log, metrics } = opened;
  const service = createAuthService({
    store: createMongoAuthStore(connectMongo(opened), log),
    bus: opened.bus,
    limiters: createRedisLimiters(connectRedis(opened), "auth", metrics),
    log,
    metrics,
    clock,
    config: own,
    hashingPatienceMs: HASHING_PATIENCE_MS,
  });
  const secret = network.INTERNAL_SECRET;
  await runServiceProcess({
    ...opened,
    service,
    door: (ready) => createInternalDoor({ secret, ready, routes: service.routes }),
  });
});
