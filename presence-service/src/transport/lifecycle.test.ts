import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { CLOSE, type ProblemError } from "@hearth/contracts";
import { createMetrics } from "@hearth/runtime";
import type { Connection, InboundMessage } from "./connection.ts";
import { createFrame } from "./frame.ts";
import { createTransportMetrics } from "./metrics.ts";
import { plainClient, socketioClient } from "../testing/transport/clients.ts";
import { type ManualHeartbeat, manualHeartbeat } from "../testing/transport/manual-heartbeat.ts";
import { PLAIN_PATH, RawClient, SOCKETIO_PATH, upgradeHead } from "../testing/transport/raw-client.ts";
import { Recorder } from "../testing/transport/recorder.ts";
import { SeededRandom } from "../testing/random.ts";
import { type ServedTransport, serveTransport } from "../testing/transport/served-transport.ts";

/** Fails on every call that violates the contract of a handler. */
class StrictRecorder extends Recorder {
  readonly wrongs: string[] = [];
  private readonly states = new Map<Connection, "open" | "closed">();

  override opened(connection: Connection): void {
    this.expectState(connection, undefined, "opened");
    this.states.set(connection, "open");
    super.opened(connection);
  }

  override admit(connection: Connection, message: InboundMessage): boolean {
    this.expectState(connection, "open", "admit");
    return super.admit(connection, message);
  }

  override handle(connection: Connection, message: InboundMessage): Promise<void> | void {
    this.expectState(connection, "open", "handle");
    return super.handle(connection, message);
  }

  override malformed(connection: Connection, problem: ProblemError): void {
    this.expectState(connection, "open", "malformed");
    super.malformed(connection, problem);
  }

  override closed(connection: Connection): void {
    this.expectState(connection, "open", "closed");
    this.states.set(connection, "closed");
    super.closed(connection);
  }

  private expectState(connection: Connection, state: "open" | undefined, call: string): void {
    const actual = this.states.get(connection);
    if (actual !== state) this.wrongs.push(`${call} while ${actual ?? "unknown"}`);
  }
}

let recorder: StrictRecorder;
let served: ServedTransport;
let heart: ManualHeartbeat;
const metrics = createMetrics({ process: false });

beforeEach(async () => {
  recorder = new StrictRecorder();
  heart = manualHeartbeat();
  served = await serveTransport(recorder, {
    clock: heart.clock,
    every: heart.every,
    limits: { closeMs: 30 },
    metrics: createTransportMetrics(metrics),
  });
});
afterEach(() => served.close());

/** Events of a connection, in any order. */
const EVENTS: readonly ((client: RawClient, connection: Connection | undefined) => void)[] = [
  (client) => client.send('{"type":"ping"}'),
  (client) => client.send('42["ping",{}]'),
  (client) => client.send("{"),
  (client) => client.send(Buffer.from("x"), { opcode: 2 }),
  (client) => client.send("", { opcode: 9 }),
  (client) => client.send("", { opcode: 8 }),
  (client) => client.send("", { opcode: 5 }),
  (client) => client.send(Buffer.from([0xff]), { opcode: 1 }),
  (client) => client.send("41"),
  (client) => client.socket.end(),
  (client) => client.socket.destroy(),
  (client) => client.socket.resetAndDestroy(),
  (client) => client.socket.pause(),
  (_client, connection) => connection?.close(CLOSE.SUPERSEDED, "Superseded"),
  (_client, connection) => connection?.close(CLOSE.RESTARTING, "Restarting", 1),
  (_client, connection) => connection?.send(createFrame({ type: "pong" })),
  (_client, connection) => connection?.send(createFrame({ type: "chat_message", fill: "x".repeat(200_000) })),
  () => heart.pass(1000),
  () => served.sockets.at(-1)?.destroy(),
];

describe("the life of a connection", () => {
  it("WS2 WS14 opens and closes exactly once for the handler, whatever happens in whatever order", async () => {
    const runs = 400;
    for (let seed = 1; seed <= runs; seed += 1) {
      const random = new SeededRandom(seed);
      recorder.react = (connection) => {
        if (random.chance(0.1)) connection.close(CLOSE.REFUSED, "From within the handler");
        if (random.chance(0.3)) return turn().then(() => undefined);
        if (random.chance(0.2)) throw new Error("fault");
        return undefined;
      };
      const isPlain = random.chance(0.5);
      const before = served.sockets.length;
      const client = new RawClient(served.port, upgradeHead(isPlain ? PLAIN_PATH : SOCKETIO_PATH));
      if (!isPlain && random.chance(0.9)) client.send("40");
      while (random.chance(0.98) && served.sockets.length === before) await turn();
      for (let step = random.below(8); step > 0; step -= 1) {
        EVENTS[random.below(EVENTS.length)]?.(client, recorder.connections.items.at(-1));
        if (random.chance(0.4)) await turn();
      }
      client.socket.destroy();
    }
    await served.transport.closeAll(CLOSE.RESTARTING, "Restarting");
    await served.transport.stop();
    expect(recorder.wrongs).toEqual([]);
    expect(recorder.connections.items.length).toBeGreaterThan(runs / 4);
    expect(recorder.ended.items).toHaveLength(recorder.connections.items.length);
    expect(new Set(recorder.ended.items)).toEqual(new Set(recorder.connections.items));
    expect(served.transport.connections).toBe(0);
  });

  it("a connection that closes as it opens is announced as opened and as closed", async () => {
    recorder.connections.push = (connection) => connection.close(CLOSE.TOO_MANY_CONNECTIONS, "Too many");
    const client = new RawClient(served.port);
    await recorder.ended.atLeast(1);
    expect(await client.closed).toBe(CLOSE.TOO_MANY_CONNECTIONS.code);
    expect(recorder.wrongs).toEqual([]);
  });

  it("WS5 a Socket.IO client that never connects is dropped after 15 s, unknown to the handler", async () => {
    const client = new RawClient(served.port, upgradeHead(SOCKETIO_PATH));
    await client.frames.atLeast(1);
    for (let second = 0; second < 14; second += 1) heart.pass(1000);
    expect(served.transport.connections).toBe(1);
    heart.pass(1000);
    expect(await client.closed).toBe(CLOSE.IDENTIFY_TIMEOUT.code);
    expect(recorder.connections.items).toEqual([]);
    expect(recorder.ended.items).toEqual([]);
  });

  it("sending to a closed connection does no harm", async () => {
    const client = await plainClient(served.port);
    const connection = await recorder.connections.first(() => true);
    client.hangUp();
    await recorder.ended.atLeast(1);
    connection.send(createFrame({ type: "pong" }));
    connection.close(CLOSE.BANNED, "Banned");
    await turn();
    expect(connection.open).toBe(false);
    expect(connection.unsentBytes).toBe(0);
  });

  it("visits the connections that the handler knows while it closes them", async () => {
    const clients = [await plainClient(served.port), await socketioClient(served.port)];
    const opening = new RawClient(served.port, upgradeHead(SOCKETIO_PATH));
    await opening.frames.atLeast(1);
    expect(served.transport.connections).toBe(3);
    const walked: Connection[] = [];
    served.transport.forEach((connection) => {
      walked.push(connection);
      connection.close(CLOSE.RESTARTING, "Restarting");
    });
    expect(walked).toEqual(recorder.connections.items);
    await Promise.all(clients.map(({ closed }) => closed));
    opening.socket.destroy();
  });

  it("counts sockets, closes, dropped frames, bytes and waiting messages", async () => {
    const text = async (): Promise<string> => await createdMetrics.text();
    const createdMetrics = createMetrics({ process: false });
    const counted = createTransportMetrics(createdMetrics);
    counted.opened("plain");
    counted.opened("socketio");
    counted.closed("socketio", 4002);
    counted.closed("socketio", 3999);
    counted.dropped("plain");
    counted.queued(3);
    counted.queued(-1);
    counted.sent(10);
    counted.received(20);
    counted.refused(503);
    const lines = (await text()).split("\n").filter((line) => !line.startsWith("#"));
    expect(lines).toEqual(
      expect.arrayContaining([
        'hearth_presence_sockets{door="plain"} 1',
        'hearth_presence_closes_total{door="socketio",code="4002"} 1',
        'hearth_presence_closes_total{door="socketio",code="other"} 1',
        'hearth_presence_frames_dropped_total{door="plain"} 1',
        "hearth_presence_queue_messages 2",
        "hearth_presence_sent_bytes_total 10",
        "hearth_presence_received_bytes_total 20",
        'hearth_presence_upgrades_refused_total{status="503"} 1',
      ]),
    );
    expect(await metrics.text()).toMatch(/hearth_presence_sockets\{door="plain"\} 0/);
  });
});
