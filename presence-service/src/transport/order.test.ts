import { once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { CLOSE, LIMITS } from "@hearth/contracts";
import { recordedLog } from "@hearth/runtime/testing";
import { createFrame } from "./frame.ts";
import { CLIENTS } from "../testing/transport/clients.ts";
import {
  clientFrame,
  PLAIN_PATH,
  RawClient,
  SOCKETIO_PATH,
  upgradeHead,
} from "../testing/transport/raw-client.ts";
import { Recorder } from "../testing/transport/recorder.ts";
import { SeededRandom } from "../testing/random.ts";
import { type ServedTransport, serveTransport } from "../testing/transport/served-transport.ts";

let recorder: Recorder;
let served: ServedTransport;
const recorded = recordedLog();

beforeEach(async () => {
  recorder = new Recorder();
  served = await serveTransport(recorder, { log: recorded.log });
});
afterEach(() => served.close());

const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

/** Blocks all callers until it is opened. */
function gate() {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open: () => open() };
}

describe("WS2 one message at a time", () => {
  it.each(CLIENTS)("WS2 keeps 200 messages behind a slow one in order (%s)", async (_door, connect) => {
    const slow = gate();
    recorder.react = (_connection, { body }) => (body["number"] === 0 ? slow.passed : undefined);
    const client = await connect(served.port);
    for (const number of numbers(201)) client.say({ type: "ping", number });
    await recorder.handled.atLeast(1);
    client.say({ type: "ping", number: 201 });
    for (let round = 0; round < 20; round += 1) await turn();
    expect(recorder.handled.items).toHaveLength(1);
    slow.open();
    const handled = await recorder.handled.atLeast(202);
    expect(handled.map(({ number }) => number)).toEqual(numbers(202));
  });

  it.each([
    ["plain", upgradeHead(PLAIN_PATH), ['{"type":"identify"}', '{"type":"join_server"}']],
    ["socketio", upgradeHead(SOCKETIO_PATH), ["40", '42["identify",{}]', '42["join_server",{}]']],
  ])("WS2 takes messages that arrive with the very handshake (%s)", async (_door, head, texts) => {
    const first = Buffer.concat([Buffer.from(head), ...texts.map((text) => clientFrame(text))]);
    const slow = gate();
    recorder.react = ({ open }, { body }) => (open && body["type"] === "identify" ? slow.passed : undefined);
    const client = new RawClient(served.port, first);
    await recorder.handled.atLeast(1);
    slow.open();
    const handled = await recorder.handled.atLeast(2);
    expect(handled.map(({ type }) => type)).toEqual(["identify", "join_server"]);
    client.socket.destroy();
  });

  it("WS2 does not interleave the handlers of two messages, however they await", async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = new SeededRandom(seed);
      const trace: string[] = [];
      recorder.react = async (_connection, { body }) => {
        trace.push(`begin ${String(body["type"])}`);
        for (let awaits = random.below(4); awaits > 0; awaits -= 1) await turn();
        trace.push(`end ${String(body["type"])}`);
        if (random.chance(0.2)) throw new Error("fault");
      };
      const client = await (CLIENTS[seed % 2] ?? CLIENTS[0])[1](served.port);
      const types = ["identify", "join_server", "chat_message", "leave_server"];
      for (const type of types) {
        client.say({ type });
        if (random.chance(0.3)) await turn();
      }
      client.say({ type: "ping", seed });
      await recorder.handled.first((body) => body["seed"] === seed);
      expect(trace.slice(0, 8)).toEqual(types.flatMap((type) => [`begin ${type}`, `end ${type}`]));
      client.hangUp();
      await client.closed;
    }
  });

  it.each(CLIENTS)(
    "WS2 a message whose handler fails does not stop the next (%s)",
    async (_door, connect) => {
      recorder.react = (_connection, { body }) => {
        if (body["fail"] === "throws") throw new Error("thrown on purpose");
        return body["fail"] === "rejects" ? Promise.reject(new Error("rejected on purpose")) : undefined;
      };
      const client = await connect(served.port);
      client.say({ type: "ping", fail: "throws" });
      client.say({ type: "ping", fail: "rejects" });
      client.say({ type: "ping", fail: "not" });
      await recorder.handled.first(({ fail }) => fail === "not");
      expect(recorder.connections.items[0]?.open).toBe(true);
      const lines = recorded.lines.join("");
      expect(lines).toContain("thrown on purpose");
      expect(lines).toContain("rejected on purpose");
    },
  );

  it("WS2 delivers no queued message once the connection closes", async () => {
    const slow = gate();
    recorder.react = () => slow.passed;
    const client = await CLIENTS[0][1](served.port);
    for (const number of numbers(10)) client.say({ type: "ping", number });
    await recorder.handled.atLeast(1);
    client.hangUp();
    await recorder.ended.atLeast(1);
    slow.open();
    await turn();
    expect(recorder.handled.items).toHaveLength(1);
  });
});

describe("WS2 the limit of the queue", () => {
  const held = async (): Promise<{ client: RawClient; queue: Promise<number> }> => {
    recorder.react = () => new Promise(() => undefined);
    const client = new RawClient(served.port);
    client.send('{"type":"ping"}');
    await recorder.handled.atLeast(1);
    return { client, queue: client.closed };
  };

  it("WS2 holds 256 messages, and closes at the next", async () => {
    const { client, queue } = await held();
    const one = clientFrame('{"type":"ping"}');
    client.socket.write(Buffer.concat(Array.from({ length: LIMITS.queue.messages }, () => one)));
    client.send("probe", { opcode: 9 });
    await client.frames.first(({ opcode }) => opcode === 10);
    expect(recorder.connections.items[0]?.open).toBe(true);
    client.socket.write(one);
    const [said] = await client.frames.atLeast(2).then(() => client.messages);
    expect(said).toEqual({
      type: "closing",
      closeCode: CLOSE.RATE.code,
      reason: CLOSE.RATE.reason,
      message: "Too many messages are waiting to be handled",
      reconnect: true,
    });
    await client.frames.first(({ opcode }) => opcode === 8);
    client.socket.end();
    expect(await queue).toBe(CLOSE.RATE.code);
    expect(recorder.handled.items).toHaveLength(1);
  });

  it("WS2 holds 4 MiB, and closes past them", async () => {
    const { client } = await held();
    const large = JSON.stringify({ type: "ping", fill: "x".repeat(1_000_000) });
    for (let count = 0; count < 4; count += 1) client.send(large);
    client.send("probe", { opcode: 9 });
    await client.frames.first(({ opcode }) => opcode === 10);
    expect(recorder.connections.items[0]?.open).toBe(true);
    client.send(large);
    await client.frames.first(({ opcode }) => opcode === 8);
    client.socket.end();
    expect(await client.closed).toBe(CLOSE.RATE.code);
  });
});

describe("one write per connection and turn", () => {
  it("joins the frames of a turn, and the same bytes once for all", async () => {
    const clients = await Promise.all([0, 1, 2].map(() => CLIENTS[0][1](served.port)));
    await recorder.connections.atLeast(3);
    const written: unknown[][] = served.sockets.map((socket) => {
      const chunks: unknown[] = [];
      const write = socket.write.bind(socket) as (chunk: Buffer) => boolean;
      socket.write = ((chunk: Buffer) => {
        chunks.push(chunk);
        return write(chunk);
      }) as typeof socket.write;
      return chunks;
    });
    const frames = numbers(16).map((number) => createFrame({ type: "pong", number }));
    for (const frame of frames) served.transport.forEach((connection) => connection.send(frame));
    expect(written).toEqual([[], [], []]);
    await Promise.all(clients.map(({ heard }) => heard.atLeast(16)));
    expect(written.map((chunks) => chunks.length)).toEqual([1, 1, 1]);
    expect(written[1]?.[0]).toBe(written[0]?.[0]);
    expect(written[2]?.[0]).toBe(written[0]?.[0]);
    for (const { heard } of clients) expect(heard.items.map(({ number }) => number)).toEqual(numbers(16));
  });

  it("keeps the order of frames across turns, and between them and the close", async () => {
    const client = new RawClient(served.port);
    const connection = await recorder.connections.first(() => true);
    const random = new SeededRandom(7);
    for (const number of numbers(500)) {
      connection.send(createFrame({ type: "pong", number }));
      if (random.chance(0.05)) await turn();
    }
    connection.close(CLOSE.SESSION_REVOKED, "Signed out");
    connection.send(createFrame({ type: "pong", number: "too late" }));
    await client.frames.first(({ opcode }) => opcode === 8);
    client.socket.end();
    await once(client.socket, "close");
    expect(client.messages.slice(0, -1).map(({ number }) => number)).toEqual(numbers(500));
    expect(client.messages.at(-1)?.type).toBe("closing");
    expect(client.frames.items.at(-1)?.opcode).toBe(8);
  });
});
