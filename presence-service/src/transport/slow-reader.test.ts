import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { CLOSE, LIMITS } from "@hearth/contracts";
import type { Connection } from "./connection.ts";
import { createFrame } from "./frame.ts";
import { noMetrics } from "./metrics.ts";
import { plainClient } from "../testing/transport/clients.ts";
import { PLAIN_PATH, RawClient, SOCKETIO_PATH, upgradeHead } from "../testing/transport/raw-client.ts";
import { Recorder } from "../testing/transport/recorder.ts";
import { type ServedTransport, serveTransport } from "../testing/transport/served-transport.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const chat = (bytes: number, number = 0) =>
  createFrame({ type: "chat_message", number, fill: "x".repeat(bytes) });
const typing = () => createFrame({ type: "user_typing" }, { ephemeral: true });

let recorder: Recorder;
let served: ServedTransport;
let dropped: number;

beforeEach(async () => {
  recorder = new Recorder();
  dropped = 0;
  served = await serveTransport(recorder, { metrics: { ...noMetrics, dropped: () => (dropped += 1) } });
});
afterEach(() => served.close());

const newest = async (count: number): Promise<Connection> => {
  const connection = (await recorder.connections.atLeast(count)).at(-1);
  if (!connection) throw new Error("unreachable");
  return connection;
};

/** A client that has stopped reading; the buffers of the kernel are full. */
async function stuckReader(door: "plain" | "socketio" = "plain") {
  const client = new RawClient(served.port, upgradeHead(door === "plain" ? PLAIN_PATH : SOCKETIO_PATH));
  if (door === "socketio") client.send("40");
  const connection = await newest(recorder.connections.items.length + 1);
  client.socket.pause();
  while (connection.unsentBytes < 64 * KIB && connection.open) {
    connection.send(chat(256 * KIB));
    await turn();
  }
  return { client, connection };
}

async function fillTo(connection: Connection, bytes: number, size = 16 * KIB): Promise<void> {
  while (connection.open && connection.unsentBytes + size < bytes) {
    connection.send(chat(size - 100));
    await turn();
  }
}

describe("WS13 a slow reader", () => {
  it.each(["plain", "socketio"] as const)(
    "WS13 misses typing above 1 MiB, and nothing else (%s)",
    async (door) => {
      const { client, connection } = await stuckReader(door);
      await fillTo(connection, LIMITS.unsent.dropEphemeral);
      connection.send(typing());
      expect(dropped).toBe(0);
      await fillTo(connection, LIMITS.unsent.dropEphemeral + 64 * KIB);
      const before = connection.unsentBytes;
      connection.send(typing());
      connection.send(typing());
      expect(connection.unsentBytes).toBe(before);
      expect(dropped).toBe(2);
      connection.send(chat(10));
      expect(connection.unsentBytes).toBeGreaterThan(before);
      expect(connection.open).toBe(true);
      client.socket.destroy();
    },
  );

  it("AB6 misses messages of strangers above 256 KiB, and is not closed for them", async () => {
    const { client, connection } = await stuckReader();
    await fillTo(connection, LIMITS.unsent.dropStrangers + 64 * KIB);
    const before = connection.unsentBytes;
    const fill = "x".repeat(60 * KIB);
    for (let n = 0; n < 300; n += 1)
      connection.send(createFrame({ type: "direct_message", fill }, { fromStranger: true }));
    expect([connection.unsentBytes, dropped]).toEqual([before, 300]);
    connection.send(chat(10));
    expect(connection.unsentBytes).toBeGreaterThan(before);
    expect(connection.open).toBe(true);
    client.socket.destroy();
  });

  it("WS13 receives everything in order if it reads on in time", async () => {
    const { client, connection } = await stuckReader();
    const sofar = connection.unsentBytes;
    for (let number = 1; number <= 300; number += 1) connection.send(chat(20 * KIB, number));
    expect(connection.unsentBytes).toBeGreaterThan(sofar + 5 * MIB);
    client.socket.resume();
    await client.frames.first(({ payload }) => payload.toString("latin1", 0, 60).includes('"number":300,'));
    const numbers = client.messages.map(({ number }) => number).filter((number) => number !== 0);
    expect(numbers).toEqual(Array.from({ length: 300 }, (_, at) => at + 1));
    expect(connection.unsentBytes).toBe(0);
    connection.send(typing());
    await client.frames.first(({ payload }) => payload.toString().includes("user_typing"));
    expect(dropped).toBe(0);
    client.socket.destroy();
  });

  it("WS13 is closed with 4002 above 8 MiB, and its waiting frames are released at once", async () => {
    const { client, connection } = await stuckReader();
    await fillTo(connection, LIMITS.unsent.close);
    expect(connection.open).toBe(true);
    connection.send(chat(MIB));
    expect(connection.open).toBe(false);
    expect(connection.unsentBytes).toBeLessThan(3 * MIB);
    client.socket.resume();
    await client.frames.first(({ opcode }) => opcode === 8);
    client.socket.end();
    expect(await client.closed).toBe(CLOSE.SLOW_READER.code);
    expect(client.messages.at(-1)).toMatchObject({ type: "closing", closeCode: 4002, reconnect: true });
  });

  it("WS13 is destroyed soon if it does not even read the close", async () => {
    await served.close();
    served = await serveTransport(recorder, { limits: { closeMs: 20 } });
    const { client, connection } = await stuckReader();
    await fillTo(connection, LIMITS.unsent.close + MIB);
    await recorder.ended.first((ended) => ended === connection);
    expect(connection.unsentBytes).toBe(0);
    client.socket.destroy();
  });

  it("WS13 receives the reason of another close after all waiting frames", async () => {
    await served.close();
    // Reading 8 MiB takes longer than the two seconds of the product where the machine is busy.
    served = await serveTransport(recorder, { limits: { closeMs: 30_000 } });
    const { client, connection } = await stuckReader();
    const warnings: Error[] = [];
    const warn = (warning: Error): void => void warnings.push(warning);
    process.on("warning", warn);
    await fillTo(connection, LIMITS.unsent.close);
    connection.send(chat(LIMITS.unsent.close - connection.unsentBytes - 100));
    const unsent = connection.unsentBytes;
    expect(unsent).toBeGreaterThan(LIMITS.unsent.close - 100);
    connection.close(CLOSE.SESSION_REVOKED, "Signed out");
    expect(connection.unsentBytes).toBeGreaterThan(unsent);
    client.socket.resume();
    await client.frames.first(({ opcode }) => opcode === 8);
    client.socket.end();
    expect(await client.closed).toBe(CLOSE.SESSION_REVOKED.code);
    expect(client.messages.at(-1)).toMatchObject({ type: "closing", closeCode: 4501 });
    process.off("warning", warn);
    expect(warnings).toEqual([]);
  });

  it("WS13 delays no other reader", async () => {
    const { client, connection } = await stuckReader();
    const others = await Promise.all([0, 1, 2].map(() => plainClient(served.port)));
    await recorder.connections.atLeast(4);
    for (let number = 1; number <= 200; number += 1) {
      const frame = chat(64 * KIB, number);
      served.transport.forEach((each) => each.send(frame));
      await Promise.all(others.map(({ heard }) => heard.atLeast(number)));
    }
    expect(connection.open).toBe(false);
    for (const { heard } of others) expect(heard.items).toHaveLength(200);
    client.socket.destroy();
  });

  it("WS13 is not a healthy reader of a large burst", async () => {
    const client = await plainClient(served.port);
    const connection = await newest(1);
    for (let round = 0; round < 4; round += 1) {
      for (let number = 0; number < 3; number += 1) connection.send(chat(MIB - 1000));
      await client.heard.atLeast((round + 1) * 3);
    }
    expect(connection.open).toBe(true);
  });
});
