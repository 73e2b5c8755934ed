import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { CLOSE, mayReconnect } from "@hearth/contracts";
import { createFrame } from "./frame.ts";
import { CLIENTS, plainClient, socketio } from "../testing/transport/clients.ts";
import { RawClient, SOCKETIO_PATH, upgradeHead } from "../testing/transport/raw-client.ts";
import { Recorder } from "../testing/transport/recorder.ts";
import { type ServedTransport, serveTransport } from "../testing/transport/served-transport.ts";

let recorder: Recorder;
let served: ServedTransport;

beforeEach(async () => {
  recorder = new Recorder();
  served = await serveTransport(recorder, { limits: { closeMs: 50, finishMs: 50 } });
});
afterEach(() => served.close());

const kinds = Object.values(CLOSE);

describe("WS14 closing", () => {
  describe.each(CLIENTS)("on the %s door", (door, connect) => {
    it.each(kinds)("WS14 sends the reason in a frame before it closes with $code", async (kind) => {
      const client = await connect(served.port);
      const connection = await recorder.connections.first(() => true);
      connection.close(kind, "Because of a test");
      connection.close(CLOSE.REFUSED, "The first call wins");
      expect(connection.open).toBe(false);
      // A stock Socket.IO client closes by itself after DISCONNECT, and sees no code.
      const hidden = door === "socketio" && !mayReconnect(kind.code);
      expect(await client.closed).toBe(hidden ? 1000 : kind.code);
      expect(client.heard.items).toEqual([
        {
          type: "closing",
          closeCode: kind.code,
          reason: kind.reason,
          message: "Because of a test",
          reconnect: mayReconnect(kind.code),
        },
      ]);
      await recorder.ended.atLeast(1);
    });
  });

  it("WS14 carries the delay of a restart in the frame and in the reason of the close", async () => {
    const client = new RawClient(served.port);
    const connection = await recorder.connections.first(() => true);
    connection.close(CLOSE.RESTARTING, "Restarting", 1234);
    connection.close(CLOSE.REFUSED, "The first call wins");
    const { payload } = await client.frames.first(({ opcode }) => opcode === 8);
    expect(payload.readUInt16BE(0)).toBe(4001);
    expect(JSON.parse(payload.toString("utf8", 2))).toEqual({ reason: "restarting", retryInMs: 1234 });
    client.socket.end();
    await client.closed;
    expect(client.messages).toEqual([expect.objectContaining({ type: "closing", retryInMs: 1234 })]);
    expect(client.frames.items.map(({ opcode }) => opcode)).toEqual([1, 8]);
  });

  it.each([
    [CLOSE.SUPERSEDED, ["42", "41"]],
    [CLOSE.HEARTBEAT, ["42"]],
  ])("WS14 carries the code on the wire of the Socket.IO door as well (%p)", async (kind, packets) => {
    const client = new RawClient(served.port, upgradeHead(SOCKETIO_PATH));
    client.send("40");
    const connection = await recorder.connections.first(() => true);
    connection.close(kind, "Because of a test");
    const close = await client.frames.first(({ opcode }) => opcode === 8);
    expect(close.payload.readUInt16BE(0)).toBe(kind.code);
    expect(close.payload.toString("utf8", 2)).toBe(kind.reason);
    const texts = client.frames.items.filter(({ opcode }) => opcode === 1);
    expect(texts.slice(2).map(({ payload }) => payload.toString("latin1", 0, 2))).toEqual(packets);
    client.socket.destroy();
  });

  it("WS14 answers the peer's close, and notifies the handler once", async () => {
    const client = new RawClient(served.port);
    const connection = await recorder.connections.first(() => true);
    connection.send(createFrame({ type: "pong" }));
    client.send(Buffer.from("03e8", "hex"), { opcode: 8 });
    const close = await client.frames.first(({ opcode }) => opcode === 8);
    expect(close.payload.toString("hex")).toBe("03e8");
    expect(client.messages.map(({ type }) => type)).not.toContain("closing");
    await recorder.ended.atLeast(1);
    expect(recorder.ended.items).toEqual([connection]);
  });

  it("WS14 tells a Socket.IO client that has not connected yet the reason", async () => {
    const client = new RawClient(served.port, upgradeHead(SOCKETIO_PATH));
    client.send('42["identify",{}]');
    await client.frames.first(({ opcode }) => opcode === 8);
    const texts = client.frames.items.map(({ payload }) => payload.toString());
    expect(texts[1]).toMatch(/^44\{"message":".*"closeCode":4506/);
    client.socket.end();
    expect(await client.closed).toBe(CLOSE.PROTOCOL.code);
    expect(recorder.connections.items).toEqual([]);
    expect(recorder.ended.items).toEqual([]);
  });

  it("notices that a stock client disconnects", async () => {
    const client = socketio(served.port);
    const connection = await recorder.connections.first(() => true);
    client.disconnect();
    await recorder.ended.first((ended) => ended === connection);
  });

  it("destroys the socket of a peer that does not complete the close", async () => {
    const client = new RawClient(served.port);
    const connection = await recorder.connections.first(() => true);
    connection.close(CLOSE.BANNED, "Banned");
    await recorder.ended.first((ended) => ended === connection);
    expect(await client.closed).toBe(CLOSE.BANNED.code);
  });
});

describe("WS15 closing all connections", () => {
  it("WS15 lets every connection finish its accepted messages, and accepts no new ones", async () => {
    const release: (() => void)[] = [];
    recorder.react = (connection, { body }) => {
      if (body["number"] === 0) return new Promise((resolve) => release.push(resolve));
      connection.send(createFrame({ type: "ack", number: body["number"] }));
      return undefined;
    };
    const clients = [];
    for (const [, connect] of CLIENTS) clients.push(await connect(served.port));
    for (const client of clients) for (const number of [0, 1, 2]) client.say({ type: "ping", number });
    await recorder.handled.atLeast(2);
    const delays = [11, 22];
    const gone = served.transport.closeAll(CLOSE.RESTARTING, "Restarting", () => delays.shift() ?? 0);
    clients[0]?.say({ type: "ping", number: 3 });
    for (const resolve of release) resolve();
    await gone;
    expect(served.transport.connections).toBe(0);
    for (const { heard } of clients) {
      expect(heard.items.map(({ type, number }) => number ?? type)).toEqual([1, 2, "closing"]);
    }
    const waits = clients.map(({ heard }) => heard.items.at(-1)?.["retryInMs"]);
    expect([...waits].sort()).toEqual([11, 22]);
  });

  it("WS15 accepts no message after it has begun", async () => {
    let release = (): void => undefined;
    recorder.react = () => new Promise((resolve) => (release = resolve));
    const client = new RawClient(served.port);
    client.send('{"type":"ping","number":0}');
    await recorder.handled.atLeast(1);
    const gone = served.transport.closeAll(CLOSE.RESTARTING, "Restarting");
    client.send('{"type":"ping","number":1}');
    client.send("probe", { opcode: 9 });
    await client.frames.first(({ opcode }) => opcode === 10);
    release();
    await client.frames.first(({ opcode }) => opcode === 8);
    client.socket.end();
    await gone;
    expect(recorder.handled.items).toHaveLength(1);
  });

  it("WS15 does not wait for ever for a handler that does not end", async () => {
    recorder.react = () => new Promise(() => undefined);
    const client = await plainClient(served.port);
    client.say({ type: "ping" });
    await recorder.handled.atLeast(1);
    await served.transport.closeAll(CLOSE.RESTARTING, "Restarting");
    expect(await client.closed).toBe(4001);
  });

  it("WS15 resolves at once if there is no connection", async () => {
    await expect(served.transport.closeAll(CLOSE.RESTARTING, "Restarting")).resolves.toBeUndefined();
  });
});
