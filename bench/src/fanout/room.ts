import { setTimeout as wait } from "node:timers/promises";
import type { ServerProcess } from "../servers/server-process.ts";
import { ClientSocket } from "../wire/client-socket.ts";
import type { Door } from "../wire/doors.ts";
import { clientFrame } from "../wire/frames.ts";
import { ramp } from "../wire/ramp.ts";
import { chatMessage } from "./chat.ts";
import { wrongDelivery } from "./deliveries.ts";
import { RoomMeter } from "./room-meter.ts";

/** The servers of a room: one, or several that act as one. */
export interface RoomServer {
  readonly name: string;
  readonly process: { readonly port: number; readonly cpuMicros: number };
  readonly door: Door;
  readonly serverId: string;
  /** The port for the connection of this number; by default the process's port. */
  portOf?(index: number): number;
  /** Identifies an open connection and joins the room. */
  enter(client: ClientSocket, index: number): Promise<void>;
}

/** A server with a room for fan-out. */
export interface FanoutServer extends RoomServer {
  readonly process: ServerProcess;
}

/** A room is quiet when nothing arrives for this time. */
const QUIET_MS = 150;
const QUIET_WITHIN_MS = 15_000;

/** Resolves when the room is quiet. */
export async function quietMeter(name: string, meter: RoomMeter): Promise<void> {
  const deadline = performance.now() + QUIET_WITHIN_MS;
  let before: number;
  do {
    if (performance.now() > deadline) throw new Error(`${name} does not come to rest`);
    before = meter.total;
    await wait(QUIET_MS);
  } while (before !== meter.total);
}

/** A room of connections that only count, each of which may send. */
export class Room {
  readonly server: RoomServer;
  readonly members: readonly ClientSocket[];
  readonly meter = new RoomMeter();
  /** The bytes of one message for one receiver, measured by {@link calibrate}. */
  frameBytes = 0;
  /** The number of messages each member has sent since the counters were reset. */
  private readonly sentBy: number[];
  private number = 0;

  private constructor(server: RoomServer, members: readonly ClientSocket[]) {
    this.server = server;
    this.members = members;
    this.sentBy = members.map(() => 0);
  }

  /** One more member than receivers, because the sender does not receive. */
  static async open(server: RoomServer, receivers: number): Promise<Room> {
    const members = await ramp(receivers + 1, async (index) => {
      const client = await ClientSocket.open(
        server.portOf?.(index) ?? server.process.port,
        server.door,
        index,
      );
      await server.enter(client, index);
      return client;
    });
    const room = new Room(server, members);
    await room.rehearse();
    for (const member of members) member.count(room.meter);
    await room.quiet();
    await room.calibrate();
    return room;
  }

  get receivers(): number {
    return this.members.length - 1;
  }

  send(sender: number): void {
    this.sentBy[sender] = (this.sentBy[sender] ?? 0) + 1;
    const text = this.server.door.encode(chatMessage(this.server.serverId, this.number++));
    this.members[sender]?.write(clientFrame(text));
  }

  /** Resets the counters. */
  reset(): void {
    this.meter.reset();
    this.sentBy.fill(0);
    for (const member of this.members) member.counted = 0;
  }

  /** Throws unless every member got each message of the others exactly once, and nothing else. */
  check(messages: number): void {
    const tallies = this.members.map((member, index) => {
      member.check();
      return { sent: this.sentBy[index] ?? 0, receivedBytes: member.counted };
    });
    const wrong = wrongDelivery(tallies, messages, this.frameBytes);
    if (wrong !== undefined) throw new Error(`${this.server.name}: ${wrong}`);
  }

  /** Resolves when the room is quiet. */
  quiet(): Promise<void> {
    return quietMeter(this.server.name, this.meter);
  }

  async close(): Promise<void> {
    await Promise.all(this.members.map((member) => member.close()));
  }

  /** One message whose content everybody compares. */
  private async rehearse(): Promise<void> {
    const number = this.number;
    const arrivals = this.members.slice(1).map((member) => member.next("chat_message"));
    this.send(0);
    for (const arrived of await Promise.all(arrivals)) {
      const { message } = chatMessage(this.server.serverId, number);
      if (JSON.stringify(arrived["message"]) === JSON.stringify(message)) continue;
      throw new Error(`${this.server.name} delivered something else: ${JSON.stringify(arrived)}`);
    }
  }

  /** One message each of the first and the last member gives the bytes that every later one must have. */
  private async calibrate(): Promise<void> {
    for (const [sender, receiver] of [
      [0, 1],
      [this.members.length - 1, 0],
    ] as const) {
      this.reset();
      this.send(sender);
      await this.quiet();
      this.frameBytes = this.members[receiver]?.counted ?? 0;
      if (this.frameBytes < 1) throw new Error(`${this.server.name} delivered nothing`);
      this.check(1);
    }
  }
}
