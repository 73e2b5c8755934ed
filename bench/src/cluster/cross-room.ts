import { chatMessage } from "../fanout/chat.ts";
import type { LoadedRoom, Metered } from "../fanout/closed-loop.ts";
import { wrongDelivery } from "../fanout/deliveries.ts";
import { RoomMeter } from "../fanout/room-meter.ts";
import { quietMeter } from "../fanout/room.ts";
import { ClientSocket } from "../wire/client-socket.ts";
import type { Door } from "../wire/doors.ts";
import { clientFrame } from "../wire/frames.ts";
import { ramp } from "../wire/ramp.ts";

/** Two nodes, with rooms whose sender is on one and whose receivers are on the other. */
export interface CrossServer {
  readonly name: string;
  /** Nodes and brokers together. */
  readonly process: Metered;
  readonly broker: Metered;
  readonly door: Door;
  readonly sendingPort: number;
  readonly receivingPort: number;
  /** Each has one sender; all receivers are in all of them. */
  readonly rooms: readonly string[];
  /** Identifies an open connection and joins these rooms. */
  enter(client: ClientSocket, index: number, rooms: readonly string[]): Promise<void>;
}

/**
 * Senders are alone on their node: messages cross to the other node and are delivered there only. A connection may
 * not send more than a burst, so each turn has its own sender and room; at any time one sender sends to all
 * receivers, as in a single room.
 */
export class CrossRoom implements LoadedRoom {
  readonly server: CrossServer;
  readonly members: readonly ClientSocket[];
  readonly meter = new RoomMeter();
  /** The bytes of one message for one receiver. */
  frameBytes = 0;
  private readonly audience: readonly ClientSocket[];
  private number = 0;

  private constructor(
    server: CrossServer,
    senders: readonly ClientSocket[],
    audience: readonly ClientSocket[],
  ) {
    this.server = server;
    this.members = senders;
    this.audience = audience;
  }

  static async open(server: CrossServer, receivers: number): Promise<CrossRoom> {
    const { door, sendingPort, receivingPort, rooms } = server;
    const connect = async (port: number, index: number, entered: readonly string[]) => {
      const client = await ClientSocket.open(port, door, index);
      await server.enter(client, index, entered);
      return client;
    };
    const audience = await ramp(receivers, (index) => connect(receivingPort, index, rooms));
    const senders = await ramp(rooms.length, (index) =>
      connect(sendingPort, receivers + index, rooms.slice(index, index + 1)),
    );
    const room = new CrossRoom(server, senders, audience);
    await room.rehearse();
    for (const client of [...audience, ...senders]) client.count(room.meter);
    await quietMeter(server.name, room.meter);
    await room.calibrate();
    return room;
  }

  get receivers(): number {
    return this.audience.length;
  }

  send(sender: number): void {
    const { door, rooms } = this.server;
    const text = door.encode(chatMessage(rooms[sender] ?? "", this.number++));
    this.members[sender]?.write(clientFrame(text));
  }

  /** Resets the counters. */
  reset(): void {
    this.meter.reset();
    for (const client of [...this.audience, ...this.members]) client.counted = 0;
  }

  /** Throws unless every receiver got each message exactly once and no sender got any. */
  check(messages: number): void {
    for (const client of [...this.audience, ...this.members]) client.check();
    const wrong =
      wrongDelivery(this.tallies(this.audience, 0), messages, this.frameBytes) ??
      wrongDelivery(this.tallies(this.members, messages), messages, this.frameBytes);
    if (wrong !== undefined) throw new Error(`${this.server.name}: ${wrong}`);
  }

  async close(): Promise<void> {
    await Promise.all([...this.audience, ...this.members].map((client) => client.close()));
  }

  private tallies(clients: readonly ClientSocket[], sent: number) {
    return clients.map(({ counted }) => ({ sent, receivedBytes: counted }));
  }

  /** Every sender sends one message; all receivers compare its content. */
  private async rehearse(): Promise<void> {
    for (const [sender, serverId] of this.server.rooms.entries()) {
      const { message } = chatMessage(serverId, this.number);
      const arrivals = this.audience.map((client) => client.next("chat_message"));
      this.send(sender);
      for (const arrived of await Promise.all(arrivals)) {
        if (JSON.stringify(arrived["message"]) === JSON.stringify(message)) continue;
        throw new Error(`${this.server.name} delivered something else: ${JSON.stringify(arrived)}`);
      }
    }
  }

  /** The first and the last sender's message give the bytes that every later one must have. */
  private async calibrate(): Promise<void> {
    for (const sender of [0, this.members.length - 1]) {
      this.reset();
      this.send(sender);
      await quietMeter(this.server.name, this.meter);
      this.frameBytes = this.audience[0]?.counted ?? 0;
      if (this.frameBytes < 1) throw new Error(`${this.server.name} delivered nothing`);
      this.check(1);
    }
  }
}
