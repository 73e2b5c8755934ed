import { afterAll, afterEach, beforeAll, beforeEach, describe } from "@jest/globals";
import { presenceSubjects } from "@hearth/contracts";
import { type Bus, silentLog } from "@hearth/runtime";
import { createNatsBus, openRedis } from "@hearth/runtime/network";
import {
  createNatsServer,
  createRedisServer,
  natsProgram,
  redisProgram,
  type ServerProcess,
  until,
} from "@hearth/runtime/testing";
import { createRedisCarrier } from "../cluster/carrier/carrier.redis.ts";
import type { Carrier, Parcel } from "../cluster/carrier/carrier.ts";
import { createRedisRoster } from "../cluster/roster/roster.redis.ts";
import { VOICE_TTL_MS } from "../upkeep/upkeep.ts";
import { createRedisVoiceLeases } from "../voice/voice-leases.redis.ts";
import { PATIENT_MS } from "./redis.ts";
import type { Shared } from "./world.ts";

/** The room of parcels that only mark the arrival of all parcels before them. */
const BARRIER = "barrier";

/** The carriers of a world's nodes; can wait until all published parcels have arrived. */
class Carriers {
  private readonly all: Carrier[] = [];
  private readonly awaited = new Map<string, () => void>();
  private count = 0;

  add(carrier: Carrier): Carrier {
    const position = this.all.push(carrier);
    return {
      get ready() {
        return carrier.ready;
      },
      publish: (parcel) => carrier.publish(parcel),
      receive: (handler) => carrier.receive((parcel) => this.received(position, parcel, handler)),
      close: () => carrier.close(),
    };
  }

  async arrived(): Promise<void> {
    const turn = ++this.count;
    const waits = this.all.flatMap((_carrier, from) =>
      this.all.flatMap((_, to) => (from === to ? [] : [this.wait(`${turn} ${from} ${to + 1}`)])),
    );
    for (const [from, carrier] of this.all.entries())
      await carrier.publish({ ...EMPTY, room: BARRIER, message: { barrier: `${turn} ${from}` } });
    await Promise.all(waits);
  }

  private wait(key: string): Promise<void> {
    return new Promise((resolve) => this.awaited.set(key, resolve));
  }

  private received(position: number, parcel: Parcel, handler: (parcel: Parcel) => void): void {
    if (parcel.room !== BARRIER) {
      handler(parcel);
      return;
    }
    const key = `${String(parcel.message["barrier"])} ${position}`;
    this.awaited.get(key)?.();
    this.awaited.delete(key);
  }
}

const EMPTY = { ephemeral: false, exceptConnectionId: null } as const;

export interface Network {
  readonly nats: ServerProcess;
  readonly redis: ServerProcess;
  /** The ports of one world over real servers; closed after the test. */
  readonly share: () => Promise<Shared>;
}

/** A suite over a real Redis and a real NATS; on a machine without them it is reported as not run. */
export const describeOverNetwork = (name: string, suite: (network: Network) => void): void => {
  const here = redisProgram === undefined || natsProgram === undefined ? describe.skip : describe;
  here(`${name} (needs redis-server and nats-server)`, () => {
    const servers: { nats?: ServerProcess; redis?: ServerProcess } = {};
    const server = (which: "nats" | "redis"): ServerProcess => {
      const found = servers[which];
      if (!found) throw new Error("The servers run only while the tests do");
      return found;
    };
    const closing: (() => unknown)[] = [];
    beforeAll(async () => {
      servers.nats = await createNatsServer(natsProgram ?? "");
      servers.redis = await createRedisServer(redisProgram ?? "");
      await Promise.all([servers.nats.start(), servers.redis.start()]);
    }, 30_000);
    beforeEach(async () => {
      const redis = openRedis({ url: `redis://127.0.0.1:${server("redis").port}`, log: silentLog });
      await until(() => redis.status === "ready");
      await redis.flushall();
      redis.disconnect();
    });
    afterEach(async () => {
      for (const close of closing.splice(0).reverse()) await close();
    });
    afterAll(async () => {
      await Promise.all([server("nats").end(), server("redis").end()]);
    });
    suite({
      get nats() {
        return server("nats");
      },
      get redis() {
        return server("redis");
      },
      share: () => share(server("nats").port, server("redis").port, closing),
    });
  });
};

const NODES = 2;

const share = async (nats: number, redisPort: number, closing: (() => unknown)[]): Promise<Shared> => {
  const openBus = async (name: string): Promise<Bus> => {
    const bus = createNatsBus({ log: silentLog, name, servers: [`127.0.0.1:${nats}`] });
    closing.push(() => bus.close());
    await until(() => bus.connected);
    return bus;
  };
  const openStore = async (subscriber = false) => {
    const url = `redis://127.0.0.1:${redisPort}`;
    const redis = openRedis({ url, log: silentLog, subscriber, commandTimeoutMs: PATIENT_MS });
    closing.push(() => redis.disconnect());
    await until(() => redis.status === "ready");
    return redis;
  };
  const carriers = new Carriers();
  const openNode = async () => {
    const redis = await openStore();
    const carrier = carriers.add(createRedisCarrier(await openStore(true), silentLog));
    const leases = createRedisVoiceLeases(redis, VOICE_TTL_MS);
    return { bus: await openBus("presence"), roster: createRedisRoster(redis), leases, carrier };
  };
  const bus = await openBus("services");
  const nodes = await Promise.all(Array.from({ length: NODES }, openNode));
  const own = await openStore();
  const free = [...nodes];
  await until(() => nodes.every(({ carrier }) => carrier.ready));
  return {
    bus,
    roster: createRedisRoster(own),
    leases: createRedisVoiceLeases(own, VOICE_TTL_MS),
    connect: () => {
      const node = free.shift();
      if (!node) throw new Error(`There are ${NODES} nodes`);
      return node;
    },
    arrived: async () => {
      // When the broker confirms a message, everything that it sent before has arrived.
      const buses = [bus, ...nodes.map((node) => node.bus)];
      for (const each of buses) await each.publish(presenceSubjects.activity, { items: [] });
      await carriers.arrived();
    },
  };
};
