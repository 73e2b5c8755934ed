import type { Redis } from "ioredis";
import type { z } from "zod";
import type { Bus } from "../bus/bus.ts";
import { createNatsBus } from "../bus/nats-bus.ts";
import type { Part } from "../lifecycle/lifecycle.ts";
import { createLog } from "../log/log.ts";
import type { Log } from "../log/log.ts";
import { createMetrics } from "../metrics/metrics.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { openMongo } from "../storage/mongo.ts";
import type { Mongo } from "../storage/mongo.ts";
import { openRedis } from "../storage/redis.ts";
import type { RedisOptions } from "../storage/redis.ts";
import type { networkVariables, ProcessConfig, ReadConfig } from "./process-config.ts";

type Addresses<Dependency extends keyof typeof networkVariables> = z.output<
  z.ZodObject<(typeof networkVariables)[Dependency]>
>;

/** The common parts of a service process. */
export interface OpenedProcess<Network, Own> {
  readonly config: ProcessConfig;
  /** Addresses and secrets of the service's dependencies. */
  readonly network: Network;
  /** The service's own settings. */
  readonly own: Own;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly bus: Bus;
  /** Connections other than the bus, to be closed after the service. */
  readonly connections: Part[];
}

/** Opens the common parts and starts to connect the bus. Does not wait for a connection. */
export function openProcess<Network extends Addresses<"bus">, Own>(
  name: string,
  { process: config, network, own }: ReadConfig<Network, Own>,
): OpenedProcess<Network, Own> {
  const log = createLog({ name, level: config.logLevel });
  const metrics = createMetrics();
  const { NATS_SERVERS: servers, NATS_USER: user, NATS_PASSWORD: password } = network;
  const bus = createNatsBus({ log, metrics, name, servers, user, password });
  return { config, network, own, log, metrics, bus, connections: [] };
}

/** A connection to Redis that ends with the process. */
export function connectRedis(
  { network, log, connections }: OpenedProcess<Addresses<"redis">, unknown>,
  options: Pick<RedisOptions, "subscriber"> = {},
): Redis {
  const { REDIS_URL: url, REDIS_USER: user, REDIS_PASSWORD: password } = network;
  const redis = openRedis({ url, user, password, log, ...options });
  connections.push({ name: "redis", stop: async () => redis.disconnect() });
  return redis;
}

/** The connection to MongoDB, which ends with the process. */
export function connectMongo({
  network,
  log,
  connections,
}: OpenedProcess<Addresses<"mongo">, unknown>): Mongo {
  const { MONGODB_URL: url, MONGODB_USER: user, MONGODB_PASSWORD: password } = network;
  const mongo = openMongo({ url, user, password, log });
  connections.push({ name: "mongo", stop: () => mongo.close() });
  return mongo;
}
