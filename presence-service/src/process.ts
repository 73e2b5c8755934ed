import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { createLog, createMetrics, systemClock as clock } from "@hearth/runtime";
import type { Bus, Environment } from "@hearth/runtime";
import {
  createNatsBus,
  networkVariables,
  openRedis,
  readProcessConfig,
  runServiceProcess,
} from "@hearth/runtime/network";
import { createRedisCarrier } from "./carrier.redis.ts";
import { RedisRoster } from "./roster.redis.ts";
import { createPresenceService } from "./service.ts";
import { VOICE_TTL_MS } from "./upkeep.ts";
import { RedisVoiceLeases } from "./voice-leases.redis.ts";

const needs = { ...networkVariables.bus, ...networkVariables.redis, ...networkVariables.internal };

/** A node in a process of its own. `wrapBus` lets a test put faults between the services. */
export async function runPresence(
  environment: Environment,
  wrapBus: (bus: Bus) => Bus = (bus) => bus,
): Promise<void> {
  const { process: config, network } = readProcessConfig("presence", needs, () => ({}), environment);
  const log = createLog({ name: "presence", level: config.logLevel });
  const metrics = createMetrics();
  const bus = wrapBus(
    createNatsBus({
      log,
      metrics,
      name: "presence",
      servers: network.NATS_SERVERS,
      user: network.NATS_USER,
      password: network.NATS_PASSWORD,
    }),
  );
  const redisOptions = { url: network.REDIS_URL, password: network.REDIS_PASSWORD, log };
  const redis = openRedis(redisOptions);
  const subscriber = openRedis({ ...redisOptions, subscriber: true });
  const service = createPresenceService({
    roster: new RedisRoster(redis),
    leases: new RedisVoiceLeases(redis, VOICE_TTL_MS),
    carrier: createRedisCarrier(redis, subscriber, log),
    bus,
    clock,
    log,
    metrics,
  });
  const door = {
    secret: network.INTERNAL_SECRET,
    upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      service.upgrade?.(request, socket, head),
  };
  const closed = async (): Promise<void> => {
    redis.disconnect();
    subscriber.disconnect();
  };
  const connections = [{ name: "redis", stop: closed }];
  await runServiceProcess({ config, log, metrics, bus, service, door, connections });
}
