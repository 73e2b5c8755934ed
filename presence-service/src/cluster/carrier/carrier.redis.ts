import { createShardedAdapter } from "@socket.io/redis-adapter";
import { ProblemError } from "@hearth/contracts";
import type { Log } from "@hearth/runtime";
import type { Redis } from "ioredis";
import type { Carrier, Parcel } from "./carrier.ts";
import { type Channels, createChannels } from "./channels.redis.ts";

/** The event of a batch of parcels; the adapter carries it between nodes as Socket.IO's `serverSideEmit`. */
const PARCELS = "parcels";
/** `MessageType.SERVER_SIDE_EMIT` of socket.io-adapter. */
const SERVER_SIDE_EMIT = 9;
const CHANNEL_PREFIX = "hearth:carrier";
/** A batch that reaches this many characters is sent before the turn ends. */
const BATCH_LENGTH = 128 * 1024;

/** The part of the adapter in use. Unlike `serverSideEmit`, it reports that Redis did not take the message. */
interface Adapter {
  publishAndReturnOffset(message: {
    readonly uid: string;
    readonly nsp: string;
    readonly type: typeof SERVER_SIDE_EMIT;
    readonly data: { readonly packet: readonly [event: string, parcels: string] };
  }): Promise<unknown>;
  close(): Promise<void> | void;
  readonly uid: string;
}

/** The adapter needs a namespace of a Socket.IO server. This one has no sockets: the node delivers by itself. */
class Namespace {
  readonly name = "/";
  readonly sockets = new Map();
  readonly server = { encoder: undefined, opts: {} };
  handler: ((parcel: Parcel) => void) | undefined;
  private readonly log: Log;

  constructor(log: Log) {
    this.log = log;
  }

  _onServerSideEmit([event, parcels]: readonly unknown[]): void {
    if (event !== PARCELS || typeof parcels !== "string") return;
    for (const parcel of JSON.parse(parcels) as Parcel[]) {
      try {
        this.handler?.(parcel);
      } catch (error) {
        // One bad parcel must stop neither the others nor the process.
        this.log.error({ err: error }, "parcel of another node could not be delivered");
      }
    }
  }
}

/** Parcels that are published together. */
class Batch {
  /** Settles when they are published. */
  readonly handedOver: Promise<void>;
  private readonly parcels: string[] = [];
  private length = 0;
  private settle: (sent: Promise<void>) => void = () => undefined;

  constructor() {
    this.handedOver = new Promise((resolve) => (this.settle = resolve));
  }

  get isFull(): boolean {
    return this.length >= BATCH_LENGTH;
  }

  add(parcel: Parcel): void {
    const text = JSON.stringify(parcel);
    this.parcels.push(text);
    this.length += text.length;
  }

  /** All parcels as one text. */
  join(): string {
    return `[${this.parcels.join(",")}]`;
  }

  sent(sending: Promise<void>): void {
    this.settle(sending);
  }
}

class RedisCarrier implements Carrier {
  private readonly namespace: Namespace;
  private readonly channels: Channels;
  private readonly adapter: Adapter;
  private batch: Batch | undefined;
  private closed = false;

  constructor(redis: Redis, log: Log) {
    this.namespace = new Namespace(log);
    this.channels = createChannels(redis, log);
    const adapter = createShardedAdapter(redis, this.channels, {
      channelPrefix: CHANNEL_PREFIX,
      subscriptionMode: "static",
    }) as unknown as (namespace: Namespace) => Adapter;
    this.adapter = adapter(this.namespace);
    // The adapter publishes this object's JSON, in the order in which `handOver` writes it.
    this.channels.skipStartingWith(JSON.stringify({ uid: this.adapter.uid }).slice(0, -1));
  }

  /** Parcels of one event-loop turn are published as one message. */
  publish(parcel: Parcel): Promise<void> {
    if (this.closed) return Promise.reject(new ProblemError("UNAVAILABLE"));
    if (!this.batch) {
      this.batch = new Batch();
      setImmediate(() => this.send());
    }
    const { batch } = this;
    batch.add(parcel);
    if (batch.isFull) this.send();
    return batch.handedOver;
  }

  get ready(): boolean {
    return this.channels.subscribed;
  }

  receive(handler: (parcel: Parcel) => void): void {
    this.namespace.handler = handler;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.send();
    this.namespace.handler = undefined;
    await this.adapter.close();
  }

  private send(): void {
    const { batch } = this;
    this.batch = undefined;
    batch?.sent(this.handOver(batch.join()));
  }

  private async handOver(parcels: string): Promise<void> {
    const { uid } = this.adapter;
    const data = { packet: [PARCELS, parcels] as const };
    try {
      await this.adapter.publishAndReturnOffset({
        uid,
        nsp: this.namespace.name,
        type: SERVER_SIDE_EMIT,
        data,
      });
    } catch {
      throw new ProblemError("UNAVAILABLE", "The other nodes cannot be reached");
    }
  }
}

/**
 * The networked twin, over Socket.IO's sharded adapter. It alone uses `redis`, to publish and to subscribe: a node's own
 * message comes back together with Redis' answer, which saves both sides a turn of their event loop.
 */
export const createRedisCarrier = (redis: Redis, log: Log): Carrier => new RedisCarrier(redis, log);
