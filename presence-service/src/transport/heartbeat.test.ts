import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { CLOSE } from "@hearth/contracts";
import { type Monitored, startHeartbeat } from "./heartbeat.ts";
import { DEFAULT_HEARTBEAT } from "./settings.ts";
import { CLIENTS } from "../testing/transport/clients.ts";
import { type ManualHeartbeat, manualHeartbeat } from "../testing/transport/manual-heartbeat.ts";
import { PLAIN_PATH, RawClient, SOCKETIO_PATH, upgradeHead } from "../testing/transport/raw-client.ts";
import { Recorder } from "../testing/transport/recorder.ts";
import { type ServedTransport, serveTransport } from "../testing/transport/served-transport.ts";

class Peer implements Monitored {
  elapsed = 0;
  tick(milliseconds: number): void {
    this.elapsed += milliseconds;
  }
}

describe("the heartbeat", () => {
  it("passes the elapsed time to every connection", () => {
    const { clock, every, pass } = manualHeartbeat();
    const peers = [new Peer(), new Peer()];
    const stop = startHeartbeat(peers, DEFAULT_HEARTBEAT, clock, every);
    for (let second = 0; second < 60; second += 1) pass(1000);
    expect(peers.map(({ elapsed }) => elapsed)).toEqual([60_000, 60_000]);
    stop();
    pass(1000);
    expect(peers.map(({ elapsed }) => elapsed)).toEqual([60_000, 60_000]);
  });

  it("does not count a sleep, a jump of the clock or a step back as silence", () => {
    const { clock, every, pass } = manualHeartbeat();
    const peer = new Peer();
    startHeartbeat([peer], DEFAULT_HEARTBEAT, clock, every);
    pass(1000);
    pass(3_600_000);
    expect(peer.elapsed).toBeLessThanOrEqual(3000);
    pass(-3_600_000);
    expect(peer.elapsed).toBeLessThanOrEqual(3000);
    pass(1000);
    expect(peer.elapsed).toBeLessThanOrEqual(4000);
  });
});

describe("WS11 liveness", () => {
  let recorder: Recorder;
  let served: ServedTransport;
  let manual: ManualHeartbeat;

  beforeEach(async () => {
    recorder = new Recorder();
    manual = manualHeartbeat();
    const { clock, every } = manual;
    served = await serveTransport(recorder, { clock, every, limits: { closeMs: 60_000 } });
  });
  afterEach(() => served.close());

  const passSeconds = (count: number): void => {
    for (let second = 0; second < count; second += 1) manual.pass(1000);
  };

  it("WS11 pings every 25 s, and drops a peer after 60 s of silence, not sooner", async () => {
    const silent = new RawClient(served.port);
    await recorder.connections.atLeast(1);
    passSeconds(24);
    expect(recorder.connections.items[0]?.unsentBytes).toBe(0);
    passSeconds(1);
    const ping = await silent.frames.first(({ opcode }) => opcode === 9);
    expect(ping.payload).toHaveLength(0);
    passSeconds(35);
    expect(recorder.connections.items[0]?.open).toBe(true);
    expect(silent.frames.items.filter(({ opcode }) => opcode === 9)).toHaveLength(1);
    passSeconds(1);
    expect(recorder.connections.items[0]?.open).toBe(false);
    await silent.frames.first(({ opcode }) => opcode === 8);
    silent.socket.end();
    expect(await silent.closed).toBe(CLOSE.HEARTBEAT.code);
    expect(silent.messages).toEqual([expect.objectContaining({ type: "closing", closeCode: 4003 })]);
  });

  it.each([
    ["a pong", (client: RawClient) => client.send("", { opcode: 10 })],
    ["a ping", (client: RawClient) => client.send("", { opcode: 9 })],
    ["a message", (client: RawClient) => client.send('{"type":"ping"}')],
    ["something malformed", (client: RawClient) => client.send("{")],
  ])("WS11 takes %s for a sign of life", async (_name, show) => {
    const client = new RawClient(served.port);
    await client.frames.atLeast(0);
    let pings = 0;
    const connection = await recorder.connections.first(({ open }) => open);
    for (let minute = 0; minute < 3; minute += 1) {
      passSeconds(50);
      show(client);
      client.send("probe", { opcode: 9 });
      pings += 1;
      await client.frames.first(
        () => client.frames.items.filter(({ payload }) => payload.toString() === "probe").length === pings,
      );
      expect(connection.open).toBe(true);
    }
    client.socket.destroy();
    await recorder.ended.first((ended) => ended === connection);
  });

  it("WS11 detects a half-open Socket.IO peer by its own pings", async () => {
    const silent = new RawClient(served.port, upgradeHead(SOCKETIO_PATH));
    silent.send("40");
    await silent.frames.first(({ payload }) => payload.toString().startsWith("40"));
    passSeconds(25);
    await silent.frames.first(({ payload }) => payload.toString() === "2");
    silent.send("3");
    silent.send('42["ping",{}]');
    await recorder.handled.first(() => true);
    passSeconds(61);
    await silent.frames.first(({ opcode }) => opcode === 8);
    silent.socket.end();
    expect(await silent.closed).toBe(CLOSE.HEARTBEAT.code);
  });

  it.each(CLIENTS)("WS11 keeps a %s client that answers for hours", async (_door, connect) => {
    const client = await connect(served.port);
    const connection = await recorder.connections.first(({ open }) => open);
    for (let round = 0; round < 20; round += 1) {
      passSeconds(25);
      client.say({ type: "ping", round });
      await recorder.handled.first(({ round: handled }) => handled === round);
    }
    expect(connection.open).toBe(true);
    client.hangUp();
    await client.closed;
  });

  it("WS11 destroys the socket of a peer that does not answer the close either", async () => {
    const dead = new RawClient(served.port);
    const connection = await recorder.connections.first(({ open }) => open);
    dead.socket.pause();
    passSeconds(61);
    expect(connection.open).toBe(false);
    passSeconds(1);
    await recorder.ended.first((ended) => ended === connection);
    dead.socket.destroy();
  });

  it("WS11 drops a peer that never finishes a message", async () => {
    const client = new RawClient(served.port, upgradeHead(PLAIN_PATH));
    const connection = await recorder.connections.first(({ open }) => open);
    client.send('{"type":', { opcode: 1, final: false });
    for (let second = 0; second < 60; second += 1) {
      client.send(" ", { opcode: 0, final: false });
      passSeconds(1);
    }
    passSeconds(1);
    expect(connection.open).toBe(false);
    client.socket.destroy();
    await recorder.ended.first((ended) => ended === connection);
  });
});
