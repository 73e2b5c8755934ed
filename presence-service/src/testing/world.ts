import { LIMITS } from "@hearth/contracts";
import {
  type Bus,
  createMemoryBus,
  createMetrics,
  type Metrics,
  newId,
  type Subscription,
} from "@hearth/runtime";
import { recordedLog } from "@hearth/runtime/testing";
import { createCarrierHub } from "../cluster/carrier/carrier.memory.ts";
import { createMemoryRoster } from "../cluster/roster/roster.memory.ts";
import type { Roster } from "../cluster/roster/roster.ts";
import { deliverLocally } from "../delivery/broadcast.ts";
import { connectBus } from "../edge/bus.ts";
import type { PresenceNode } from "../edge/presence-node.ts";
import { createSocketEdge } from "../edge/sockets.ts";
import { createNode, type NodeParts } from "../node.ts";
import { NODE_TTL_MS, renewNode, tick, VOICE_TTL_MS } from "../upkeep/upkeep.ts";
import { createMemoryVoiceLeases } from "../voice/voice-leases.memory.ts";
import type { VoiceLeases } from "../voice/voice-leases.ts";
import { Device, type DeviceOptions, type Message } from "./device.ts";
import { type AwaitPoint, atADistance, busAtADistance, carrierAtADistance } from "./distance.ts";
import { SeededRandom } from "./random.ts";
import { Services, type Session } from "./services.ts";
import type { ConnectionHandler } from "../transport/connection.ts";
import { VirtualTime } from "./virtual-time.ts";

/** The ports that the nodes of a world share. */
export interface Shared {
  /** The bus of the fake services. */
  readonly bus: Bus;
  readonly roster: Roster;
  readonly leases: VoiceLeases;
  /** Connects one more node. */
  readonly connect: () => Pick<NodeParts, "bus" | "roster" | "leases" | "carrier">;
  /** Resolves when all published messages have arrived. */
  readonly arrived: () => Promise<void>;
}

export interface WorldOptions {
  /** Real servers, which do not follow the time of the world; by default in memory. */
  readonly shared?: Shared;
  readonly nodes?: number;
  readonly seed?: number;
  /** Called before and after each call of a node to its ports and to other services; may wait or throw. */
  readonly point?: (world: World) => AwaitPoint;
  readonly device?: DeviceOptions;
}

/** How a device connects, identifies and joins. */
export interface Arrival {
  /** The index of its node. */
  readonly node?: number;
  readonly clientInstanceId?: string;
  readonly connectionScope?: string;
  readonly joins?: readonly string[];
}

interface RunningNode {
  readonly node: PresenceNode;
  readonly edge: ConnectionHandler;
  readonly metrics: Metrics;
  readonly devices: Device[];
  subscriptions: readonly Subscription[];
  alive: boolean;
}

/** No single wait of a node is longer. */
const SHORT_MS = 500;
const YEAR_MS = 365 * 24 * 3_600_000;

/** Presence nodes of one cluster in one process, with fake services around them and a time of their own. */
export class World {
  readonly time = new VirtualTime();
  readonly random: SeededRandom;
  readonly log = recordedLog();
  readonly bus: Bus;
  readonly services: Services;
  readonly roster: Roster;
  readonly leases: VoiceLeases;
  readonly nodes: RunningNode[] = [];
  private readonly shared: Shared;
  private readonly options: WorldOptions;

  constructor(options: WorldOptions = {}) {
    this.options = options;
    this.shared = options.shared ?? this.inMemory();
    ({ bus: this.bus, roster: this.roster, leases: this.leases } = this.shared);
    this.services = new Services(this.bus);
    this.random = new SeededRandom(options.seed ?? 1);
    const point = options.point?.(this);
    for (let n = 0; n < (options.nodes ?? 1); n++) {
      const running = this.startNode(point);
      void this.roster.renew(running.node.nodeId, NODE_TTL_MS);
      this.nodes.push(running);
    }
  }

  private inMemory(): Shared {
    const connectCarrier = createCarrierHub();
    const bus = createMemoryBus({ log: this.log.log });
    const roster = createMemoryRoster(this.time);
    const leases = createMemoryVoiceLeases(this.time, VOICE_TTL_MS);
    const connect = () => ({ bus, roster, leases, carrier: connectCarrier() });
    return { bus, roster, leases, connect, arrived: async () => undefined };
  }

  private startNode(point: AwaitPoint | undefined): RunningNode {
    const metrics = createMetrics({ process: false });
    const here = this.shared.connect();
    const far = point && {
      roster: atADistance("roster", here.roster, point),
      leases: atADistance("leases", here.leases, point),
      carrier: carrierAtADistance(here.carrier, point),
      bus: busAtADistance(here.bus, point),
    };
    const node = createNode({ ...(far ?? here), clock: this.time, log: this.log.log, metrics });
    node.carrier.receive((parcel) => deliverLocally(node, parcel));
    const subscriptions = connectBus(node, () => true);
    return { node, edge: createSocketEdge(node), metrics, devices: [], subscriptions, alive: true };
  }

  /** Starts one more node as a process does, and returns its index. */
  async add(): Promise<number> {
    const running = this.startNode(this.options.point?.(this));
    running.node.clusterMembership.begin();
    await renewNode(running.node);
    return this.nodes.push(running) - 1;
  }

  /** A new session of ten years, of a new account unless one is named. */
  logIn(oderId?: string, displayName?: string): Session {
    return this.services.logIn(this.time.now() + 10 * YEAR_MS, oderId, displayName);
  }

  at(node: number): RunningNode {
    const running = this.nodes[node % this.nodes.length];
    if (!running) throw new Error("There is no such node");
    return running;
  }

  connect(node = 0, options: DeviceOptions = this.options.device ?? {}): Device {
    const { edge, devices } = this.at(node);
    const device = new Device(edge, options);
    devices.push(device);
    return device;
  }

  /** Connects a device, identifies it and joins its rooms. */
  async arrive(session: Session, { node, joins = [], ...identity }: Arrival = {}): Promise<Device> {
    const device = this.connect(node);
    device.say({ type: "identify", token: session.token, clientInstanceId: newId(), ...identity });
    for (const serverId of joins) device.say({ type: "join_server", serverId });
    await this.settle();
    device.take();
    return device;
  }

  /** Sends a message of a device with a `requestId`, and returns the answer. */
  async ask(device: Device, message: Message): Promise<Message | undefined> {
    const requestId = newId();
    device.say({ ...message, requestId });
    await this.settle();
    return device.received.find((received) => received["requestId"] === requestId);
  }

  /** Finishes all pending work; lets time pass as long as some work sleeps. */
  async settle(): Promise<void> {
    for (let moving = true; moving; moving = (await this.time.step()) || this.busy) {
      while ((await this.time.step()) || this.busy);
      await this.shared.arrived();
    }
  }

  private get busy(): boolean {
    return this.nodes.some(
      ({ node, alive }) =>
        alive &&
        (node.unregistering.size > 0 ||
          [...node.connections.values()].some(({ pendingWork }) => pendingWork !== null)),
    );
  }

  /** Runs the upkeep of every live node once. */
  async tick(): Promise<void> {
    for (const { node, alive } of this.nodes) if (alive) await this.during(tick(node));
    await this.time.pass(0);
  }

  /** Lets seconds pass, with the upkeep of every node in each of them. */
  async pass(seconds: number): Promise<void> {
    for (let n = 0; n < seconds; n++) {
      await this.time.pass(1_000);
      await this.tick();
    }
  }

  /** Lets time pass until the promise settles. No single sleep of its work may be longer than `stretchMs`. */
  async during<Result>(promise: Promise<Result>, stretchMs: number = SHORT_MS): Promise<Result> {
    const wait = { over: false };
    const end = (): boolean => (wait.over = true);
    promise.then(end, end);
    while (!wait.over) await this.time.step(this.time.now() + stretchMs);
    return promise;
  }

  /** Kills a node: its connections close without notice. */
  async kill(index: number): Promise<void> {
    const dying = this.at(index);
    dying.alive = false;
    for (const subscription of dying.subscriptions) subscription.close();
    for (const device of dying.devices) device.vanish();
    await dying.node.carrier.close();
  }

  /** The ids of a user's connections in the roster. */
  async registered(oderId: string): Promise<string[]> {
    const identity = {
      connectionScope: "ws://probe.test",
      device: {},
      username: "probe",
      displayName: "Probe",
    };
    const probe = { connectionId: newId(), nodeId: "probe", oderId, clientInstanceId: newId(), ...identity };
    const registration = await this.roster.register(probe, LIMITS.connectionsPerUser + 1);
    await this.roster.unregister(probe.connectionId);
    if (registration.outcome !== "registered") throw new Error(registration.outcome);
    return registration.others.map(({ connectionId }) => connectionId);
  }

  /** Those of the rooms that a connection is in on its node, open or not. */
  roomsOf({ id }: Device, keys: readonly string[]): string[] {
    const isIn = ({ node }: RunningNode, key: string): boolean =>
      node.rooms.of(key).some(({ connection }) => connection.id === id);
    return keys.filter((key) => this.nodes.some((running) => isIn(running, key)));
  }

  /** Log lines of the level warning and above. */
  get warnings(): readonly Message[] {
    return this.log.records().filter(({ level }) => Number(level) >= 40);
  }

  async close(): Promise<void> {
    for (const { subscriptions } of this.nodes)
      for (const subscription of subscriptions) subscription.close();
    await this.bus.close();
  }
}
