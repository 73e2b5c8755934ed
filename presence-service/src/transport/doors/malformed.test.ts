import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { CLOSE, LIMITS } from "@hearth/contracts";
import { CLIENTS, socketio } from "../../testing/transport/clients.ts";
import {
  clientFrame,
  type FrameParts,
  RawClient,
  SOCKETIO_PATH,
  upgradeHead,
} from "../../testing/transport/raw-client.ts";
import { Recorder } from "../../testing/transport/recorder.ts";
import { type ServedTransport, serveTransport } from "../../testing/transport/served-transport.ts";

let recorder: Recorder;
let served: ServedTransport;

beforeEach(async () => {
  recorder = new Recorder();
  served = await serveTransport(recorder);
});
afterEach(() => served.close());

const DEEP = LIMITS.jsonDepth;
const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
const engineHead = upgradeHead(SOCKETIO_PATH);

async function connected(door: string): Promise<RawClient> {
  const client = door === "plain" ? new RawClient(served.port) : new RawClient(served.port, engineHead);
  if (door === "socketio") client.send("40");
  await recorder.connections.atLeast(1);
  return client;
}

describe("WS16 data that is no message", () => {
  it.each([
    ["plain", "W18 not JSON", "{"],
    ["plain", "W18 nothing at all", ""],
    ["plain", "W19 a number", "1"],
    ["plain", "W19 a string", '"identify"'],
    ["plain", "W19 null", "null"],
    ["plain", "W19 an array", '[{"type":"identify"}]'],
    ["plain", "too deep", `{"type":"ping","deep":${nested(DEEP)}}`],
    ["plain", "R6 60 KB of brackets", "[".repeat(60_000)],
    ["socketio", "W18 not JSON", "42[{"],
    ["socketio", "W18 an unknown packet", "49"],
    ["socketio", "W18 not a packet", "hello"],
    ["socketio", "W18 an empty packet", "4"],
    ["socketio", "W18 nothing at all", ""],
    ["socketio", "no event", "42"],
    ["socketio", "an empty event", "42[]"],
    ["socketio", "an event without an array", '42{"type":"ping"}'],
    ["socketio", "a number for a name", "42[1,{}]"],
    ["socketio", "W19 a number", '42["ping",1]'],
    ["socketio", "W19 null", '42["ping",null]'],
    ["socketio", "W19 an array", '42["ping",[]]'],
    ["socketio", "two arguments", '42["ping",{},{}]'],
    ["socketio", "a type that contradicts the name", '42["ping",{"type":"identify"}]'],
    ["socketio", "a type that is no string", '42["ping",{"type":1}]'],
    ["socketio", "too deep", `42["ping",${nested(DEEP + 1)}]`],
    ["socketio", "W22 an event called connect", '42["connect",{}]'],
    ["socketio", "W22 an event called connect_error", '42["connect_error",{}]'],
    ["socketio", "W22 an event called disconnect", '42["disconnect",{}]'],
    ["socketio", "W22 an event called disconnecting", '42["disconnecting",{}]'],
    ["socketio", "W22 an event called newListener", '42["newListener",{}]'],
    ["socketio", "W22 1,000 attachments", '451000-["ping",{"_placeholder":true,"num":0}]'],
    ["socketio", "W22 an attachment", '451-["ping",{"_placeholder":true,"num":0}]'],
    ["socketio", "W22 a binary acknowledgement", "461-1[]"],
    ["socketio", "W22 an acknowledgement nobody asked for", "4399[]"],
    ["socketio", "W22 an acknowledgement out of range", '4299999999999999999999["ping",{}]'],
    ["socketio", "W22 an unknown namespace", '42/admin,["ping",{}]'],
    ["socketio", "W22 a second CONNECT", "40"],
    ["socketio", "W22 CONNECT_ERROR", '44{"message":"no"}'],
    ["socketio", "an Engine.IO ping", "2"],
    ["socketio", "an Engine.IO upgrade", "5"],
    ["socketio", "binary data in base64", "bAAAA"],
  ])("WS16 is answered with an error and the connection lives (%s, %s)", async (door, _what, text) => {
    const client = await connected(door);
    client.send(text);
    client.send(door === "plain" ? '{"type":"ping"}' : '42["ping",{}]');
    await recorder.handled.atLeast(1);
    expect(recorder.handled.items).toEqual([{ type: "ping" }]);
    expect(recorder.problems.items.map(({ code }) => code)).toEqual(["INVALID_REQUEST"]);
    expect(recorder.connections.items[0]?.open).toBe(true);
    client.socket.destroy();
  });

  it.each(["plain", "socketio"])("WS16 W13 a binary frame is answered with an error (%s)", async (door) => {
    const client = await connected(door);
    client.send(Buffer.from([1, 2, 3]), { opcode: 2 });
    client.send(door === "plain" ? '{"type":"ping"}' : '42["ping",{}]');
    await recorder.handled.atLeast(1);
    expect(recorder.problems.items).toHaveLength(1);
    client.socket.destroy();
  });

  it("WS16 W22 an event with binary data from a stock client does not end its connection", async () => {
    const client = socketio(served.port);
    client.emit("ping", { data: Buffer.from("binary") });
    client.emit("ping", { number: 1 });
    await recorder.handled.atLeast(1);
    expect(recorder.handled.items).toEqual([{ type: "ping", number: 1 }]);
    expect(recorder.problems.items.length).toBeGreaterThan(0);
    client.disconnect();
  });

  it.each(CLIENTS)("WS16 W20 W21 passes on an object with any type or none (%s)", async (door, connect) => {
    const types = ["__proto__", "constructor", "toString", "x".repeat(10_000)];
    const client = await connect(served.port);
    for (const type of types) client.say({ type });
    const handled = await recorder.handled.atLeast(types.length);
    expect(handled.map(({ type }) => type)).toEqual(types);
    expect(recorder.problems.items).toEqual([]);
    expect(door).toBe(recorder.connections.items[0]?.door);
    client.hangUp();
  });

  it("W20 passes on an object without a type, and treats own keys of any name as data", async () => {
    const client = await connected("plain");
    client.send('{"__proto__":{"type":"identify"}}');
    const [body] = await recorder.handled.atLeast(1);
    expect(Object.keys(body ?? {})).toEqual(["__proto__"]);
    expect(body?.["type"]).toBeUndefined();
    client.socket.destroy();
  });

  it.each([
    ["plain", `{"type":"ping","deep":${nested(DEEP - 1)}}`],
    ["plain", `{"type":"ping","text":"${"[{".repeat(1000)}\\""}`],
    ["plain", `{"type":"ping","flat":[${"{},".repeat(1000)}{}]}`],
    ["socketio", `42["ping",{"deep":${nested(DEEP - 1)}}]`],
  ])("accepts JSON of the maximum depth, and brackets inside text (%s)", async (door, text) => {
    const client = await connected(door);
    client.send(text);
    await recorder.handled.atLeast(1);
    expect(recorder.problems.items).toEqual([]);
    client.socket.destroy();
  });

  it("closes a connection that sends too many pings", async () => {
    const client = await connected("plain");
    client.socket.write(Buffer.concat(Array.from({ length: 241 }, () => clientFrame("", { opcode: 9 }))));
    await client.frames.first(({ opcode }) => opcode === 8);
    client.socket.end();
    expect(await client.closed).toBe(CLOSE.RATE.code);
  });
});

const MEBIBYTE = "x".repeat(1024 * 1024);
const text: FrameParts = { opcode: 1 };

/** Violations of the WebSocket protocol, and the code with which `ws` closes. */
const VIOLATIONS: readonly (readonly [
  string,
  number,
  readonly (readonly [string | Buffer, FrameParts])[],
])[] = [
  ["W14 invalid UTF-8", 1007, [[Buffer.from([0xff, 0xfe]), text]]],
  ["W15 a frame that is too large", 1009, [[`${MEBIBYTE}x`, text]]],
  ["W15 a frame that says it is too large", 1009, [["x", { opcode: 1, length: 2 ** 40 }]]],
  [
    "W15 fragments that are too large together",
    1009,
    [
      [MEBIBYTE, { opcode: 1, final: false }],
      ["x", { opcode: 0 }],
    ],
  ],
  ["an unmasked frame", 1002, [["{}", { opcode: 1, masked: false }]]],
  ["a reserved bit", 1002, [["{}", { opcode: 1, reserved: 0x40 }]]],
  ["an unknown opcode", 1002, [["", { opcode: 3 }]]],
  ["a continuation of nothing", 1002, [["{}", { opcode: 0 }]]],
  ["a fragmented ping", 1002, [["", { opcode: 9, final: false }]]],
  ["a ping of 126 bytes", 1002, [["x".repeat(126), { opcode: 9 }]]],
];

describe("violations of the WebSocket protocol", () => {
  it.each(
    VIOLATIONS.flatMap((violation) => [
      ["plain", ...violation] as const,
      ["socketio", ...violation] as const,
    ]),
  )("WS14 close the connection once, and say why first (%s, %s: %i)", async (door, _what, code, frames) => {
    const client = await connected(door);
    for (const [payload, parts] of frames) client.send(payload, parts);
    await client.frames.first(({ opcode }) => opcode === 8);
    client.socket.end();
    expect(await client.closed).toBe(code);
    const said = client.frames.items.filter(({ opcode }) => opcode === 1).at(-1);
    expect(said?.payload.toString()).toContain(`"closeCode":${code}`);
    await recorder.ended.atLeast(1);
    expect(recorder.ended.items).toHaveLength(1);
    expect(recorder.handled.items).toEqual([]);
  });

  it("W16 100,000 fragments of one byte end the connection before they are gathered", async () => {
    const client = await connected("plain");
    const fragment = clientFrame("x", { opcode: 0, final: false });
    client.send('{"', { opcode: 1, final: false });
    client.socket.write(Buffer.concat(Array.from({ length: 100_000 }, () => fragment)));
    await client.frames.first(({ opcode }) => opcode === 8);
    client.socket.end();
    expect(await client.closed).toBe(1008);
    await recorder.ended.atLeast(1);
  });

  it.each(['42["ping",{}]', "41", "43[]", "hello", "40/" + "x".repeat(200)])(
    "WS16 a Socket.IO client that begins with %s instead of CONNECT is closed",
    async (first) => {
      const client = new RawClient(served.port, engineHead);
      client.send(first);
      await client.frames.first(({ opcode }) => opcode === 8);
      client.socket.end();
      expect(await client.closed).toBe(CLOSE.PROTOCOL.code);
      expect(recorder.connections.items).toEqual([]);
      expect(recorder.problems.items).toEqual([]);
    },
  );
});
