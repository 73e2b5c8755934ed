import { authSubjects } from "@hearth/contracts";
import { createJwtVerifier, systemClock as clock } from "@hearth/runtime";
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
import { readDiscoveryConfig } from "./config.ts";
import { createDiscoveryService } from "./service.ts";
import { createMongoDiscoveryStore } from "./store/mongo/store.mongo.ts";

const { bus, redis, mongo, internal } = networkVariables;
const needs = { ...bus, ...redis, ...mongo, ...internal };

/** The service in a process of its own; every address comes from the environment. */
await runMain(async () => {
  const read = readProcessConfig("discovery", needs, readDiscoveryConfig, process.env);
  const opened = openProcess("discovery", read);
  const { network, own, log, metrics } = opened;
  const service = createDiscoveryService({
    store: createMongoDiscoveryStore(connectMongo(opened)),
    bus: opened.bus,
    limiters: createRedisLimiters(connectRedis(opened), "discovery", metrics),
    identity: createJwtVerifier({ keys: () => opened.bus.request(authSubjects.keys, {}), clock }),
    log,
    metrics,
    clock,
    config: own,
  });
  const secret = network.INTERNAL_SECRET;
  await runServiceProcess({
    ...opened,
    service,
    door: (ready) => createInternalDoor({ secret, ready, routes: service.routes }),
  });
});
