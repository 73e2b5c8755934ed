import { systemClock as clock } from "@hearth/runtime";
import type { Bus, Environment } from "@hearth/runtime";
import {
  connectRedis,
  createInternalDoor,
  networkVariables,
  openProcess,
  readProcessConfig,
  runServiceProcess,
} from "@hearth/runtime/network";
import { createRedisCarrier } from "./cluster/carrier/carrier.redis.ts";
import { createRedisRoster } from "./cluster/roster/roster.redis.ts";
import { readPresenceConfig } from "./config.ts";
import { createPresenceService } from "./service.ts";
import { VOICE_TTL_MS } from "./upkeep/upkeep.ts";
import { createRedisVoiceLeases } from "./voice/voice-leases.redis.ts";

const needs = { ...networkVariables.bus, ...networkVariables.redis, ...networkVariables.internal };

/** Runs a node in a process of its own. `wrapBus` lets a test put faults between the services. */
export async function runPresence(
  environment: Environment,
  wrapBus: (bus: Bus) => Bus = (bus) => bus,
): Promise<void> {
  const opened = openProcess(
    "presence",
    readProcessConfig("presence", needs, readPresenceConfig, environment),
  );
  const { network, log } = opened;
  const bus = wrapBus(opened.bus);
  const redis = connectRedis(opened);
  const service = createPresenceService({
    roster: createRedisRoster(redis),
    leases: createRedisVoiceLeases(redis, VOICE_TTL_MS),
    carrier: createRedisCarrier(connectRedis(opened, { subscriber: true }), log),
    bus,
    clock,
    log,
    metrics: opened.metrics,
    ...opened.own,
  });
  const secret = network.INTERNAL_SECRET;
  await runServiceProcess({
    ...opened,
    bus,
    service,
    door: (ready) =>
      createInternalDoor({ secret, ready, upgrade: (...upgrade) => service.upgrade?.(...upgrade) }),
  });
}
