import { type Credential, type JoinedServer, LIMITS } from "@hearth/contracts";
import { beforeAll, describe, expect, it } from "@jest/globals";
import WebSocket from "ws";
import { until } from "@hearth/runtime/testing/until";
import { setTimeout as pause } from "node:timers/promises";
import {
  createServer,
  type DoorName,
  expectOk,
  RAW_DOORS,
  rawSocketUrl,
  register,
} from "../../src/client/index.ts";
import { serverForTests } from "../../src/server/for-tests.ts";
import { type Measurements, metricsOf } from "../../src/server/metrics.ts";

const MINUTES = 60_000;
const MIB = 1024 * 1024;
const CONNECTIONS = 5_000;
const PER_USER = 90;
const CHAT_SECONDS = 120;
const ROOM_SIZE = 200;

/** A connection that stores counts instead of messages, because there are thousands. */
class LightClient {
  readonly counts = new Map<string, number>();
  /** The ids of received chat messages, to find duplicates and losses. */
  readonly heard: string[] = [];
  closeCode: number | undefined;
  readonly webSocket: WebSocket;
  private readonly door: DoorName;
  private readonly waiting = new Map<string, () => void>();

  constructor(url: string, door: DoorName) {
    this.door = door;
    this.webSocket = new WebSocket(rawSocketUrl(url, door), { perMessageDeflate: false });
    this.webSocket.on("message", (data: Buffer) => this.receive(data.toString()));
    this.webSocket.on("close", (code) => (this.closeCode = code));
    this.webSocket.on("error", () => undefined);
  }

  async enter({ token }: Credential, serverId?: string): Promise<this> {
    if (this.door === "socketio") await this.next("connected");
    else await new Promise((resolve) => this.webSocket.once("open", resolve));
    const identified = this.next("identified");
    this.say({ type: "identify", token });
    await identified;
    if (serverId !== undefined) {
      const joined = this.next("server_joined");
      this.say({ type: "join_server", serverId });
      await joined;
    }
    return this;
  }

  say(message: { readonly type: string } & Readonly<Record<string, unknown>>): void {
    const text = JSON.stringify(message);
    this.webSocket.send(this.door === "plain" ? text : `42["${message.type}",${text}]`);
  }

  /** Resolves when the next message of this type arrives. */
  next(type: string): Promise<void> {
    return new Promise((resolve) => this.waiting.set(type, resolve));
  }

  count(type: string): number {
    return this.counts.get(type) ?? 0;
  }

  private receive(text: string): void {
    if (this.door === "plain") this.note(JSON.parse(text) as Readonly<Record<string, unknown>>);
    else if (text.startsWith("42"))
      this.note((JSON.parse(text.slice(2)) as [string, Record<string, unknown>])[1]);
    else if (text.startsWith("40")) this.note({ type: "connected" });
    else if (text.startsWith("0")) this.webSocket.send("40");
    else if (text === "2") this.webSocket.send("3");
  }

  private note(message: Readonly<Record<string, unknown>>): void {
    const type = String(message["type"]);
    this.counts.set(type, this.count(type) + 1);
    if (type === "chat_message") this.heard.push((message["message"] as { id: string }).id);
    this.waiting.get(type)?.();
    this.waiting.delete(type);
  }
}

const doorFor = (index: number): DoorName => RAW_DOORS[index % 2] ?? "plain";

interface Usage {
  readonly memory: number;
  readonly descriptors: number;
  readonly heartbeatCloses: number;
}

const usageOf = (measured: Measurements): Usage => ({
  memory: measured.sum("process_resident_memory_bytes"),
  descriptors: measured.sum("process_open_fds"),
  heartbeatCloses: measured.sum("hearth_presence_closes_total", { code: "4003" }),
});

describe("thousands of connections", () => {
  const server = serverForTests({ env: { LOG_LEVEL: "error" } });
  let accounts: Credential[];
  let room: JoinedServer;
  beforeAll(async () => {
    accounts = [];
    const users = Math.ceil(CONNECTIONS / PER_USER);
    while (accounts.length < users) accounts.push(await register(server.url));
    room = await createServer(server.url, accounts[0] as Credential, { name: "The soak" });
  }, 2 * MINUTES);

  const usage = async (): Promise<Usage> => usageOf(await metricsOf(server));
  const accountFor = (index: number): Credential => accounts[index % accounts.length] as Credential;

  it(
    "WS11 L-1 5,000 idle ones and a server that chats for two minutes: none is lost, memory and descriptors stay flat",
    async () => {
      const empty = await usage();
      const clients: LightClient[] = [];
      while (clients.length < CONNECTIONS) {
        const batch = Array.from({ length: 100 }, (_, offset) => clients.length + offset).map((index) =>
          new LightClient(server.url, doorFor(index)).enter(
            accountFor(index),
            index < ROOM_SIZE ? room.id : undefined,
          ),
        );
        clients.push(...(await Promise.all(batch)));
      }
      const members = clients.slice(0, ROOM_SIZE);
      let sent = 0;
      const chat = async (seconds: number): Promise<void> => {
        for (let second = 0; second < seconds; second += 1) {
          for (let each = 0; each < 10; each += 1) {
            const sender = members[sent % members.length];
            sender?.say({
              type: "chat_message",
              serverId: room.id,
              message: { id: `m${sent}`, content: "x".repeat(120) },
            });
            sent += 1;
            await pause(100);
          }
        }
      };
      await chat(30);
      const early = await usage();
      await chat(CHAT_SECONDS - 30);
      const late = await usage();
      await pause(500);
      console.log(
        "per connection",
        ((early.memory - empty.memory) / CONNECTIONS / 1024).toFixed(1),
        "KiB; growth",
        ((late.memory - early.memory) / MIB).toFixed(1),
        "MiB",
      );
      expect(late.heartbeatCloses).toBe(0);
      expect(clients.filter(({ closeCode }) => closeCode !== undefined)).toEqual([]);
      expect(late.memory - early.memory).toBeLessThan(32 * MIB);
      expect((early.memory - empty.memory) / CONNECTIONS).toBeLessThan(40 * 1024);
      expect(Math.abs(late.descriptors - early.descriptors)).toBeLessThan(20);
      const all = Array.from({ length: sent }, (_, index) => `m${index}`);
      for (const [index, { heard }] of members.entries()) {
        const others = all.filter((_, message) => message % members.length !== index);
        expect({ index, heard }).toEqual({ index, heard: others });
      }
      for (const client of clients) client.webSocket.close();
      await until(async () => (await usage()).descriptors <= empty.descriptors + 20, 10 * MINUTES);
      const after = await metricsOf(server);
      expect(after.sum("hearth_presence_sockets")).toBe(0);
      expect(after.sum("hearth_presence_identified_connections")).toBe(0);
    },
    10 * MINUTES,
  );

  it(
    "WS13 thirty readers that stop reading cost no more than their share, and the others receive everything",
    async () => {
      const before = await usage();
      const [reader, speaker] = await Promise.all(
        [0, 1].map((index) => new LightClient(server.url, doorFor(index)).enter(accountFor(index), room.id)),
      );
      if (!reader || !speaker) throw new Error("two were opened");
      const slow = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          new LightClient(server.url, doorFor(index)).enter(accountFor(index + 2), room.id),
        ),
      );
      for (const { webSocket } of slow) webSocket.pause();
      const content = "x".repeat(60_000);
      let highest = 0;
      for (let sent = 0; sent < 600; sent += 1) {
        const arrived = reader.next("chat_message");
        speaker.say({ type: "chat_message", serverId: room.id, message: { id: `s${sent}`, content } });
        await arrived;
        // Below the rate of one connection.
        await pause(18);
        if (sent % 20 === 0) highest = Math.max(highest, (await usage()).memory);
      }
      expect(reader.heard.filter((id) => id.startsWith("s"))).toHaveLength(600);
      expect(highest - before.memory).toBeLessThan(slow.length * LIMITS.unsent.close + 128 * MIB);
      const closes = (await metricsOf(server)).sum("hearth_presence_closes_total", { code: "4002" });
      expect(closes).toBe(slow.length);
      for (const { webSocket } of [reader, speaker, ...slow]) webSocket.terminate();
    },
    3 * MINUTES,
  );

  it(
    "WS12 L-6 a user who floods is refused and closed, again and again, and the others keep chatting",
    async () => {
      const [reader, speaker] = await Promise.all(
        [0, 1].map((index) => new LightClient(server.url, doorFor(index)).enter(accountFor(index), room.id)),
      );
      if (!reader || !speaker) throw new Error("two were opened");
      const hostile = accountFor(2);
      const end = new AbortController();
      const goesOn = (): boolean => !end.signal.aborted;
      const flood = async (type: string): Promise<number> => {
        let closed = 0;
        while (goesOn()) {
          const attacker = await new LightClient(server.url, doorFor(closed)).enter(hostile, room.id);
          while (goesOn() && attacker.closeCode === undefined) {
            const payload = { type: "x", data: "x".repeat(1_000) };
            for (let burst = 0; burst < 200; burst += 1) {
              attacker.say({ type, serverId: room.id, clientInstanceId: hostile.id, payload });
            }
            await pause(10);
          }
          if (attacker.closeCode !== undefined) expect(attacker.closeCode).toBe(4008);
          attacker.webSocket.terminate();
          closed += 1;
        }
        return closed;
      };
      const floods = [flood("user_typing"), flood("account_sync")];
      for (let sent = 0; sent < 200; sent += 1) {
        const arrived = reader.next("chat_message");
        speaker.say({
          type: "chat_message",
          serverId: room.id,
          message: { id: `f${sent}`, content: "calm" },
        });
        await arrived;
        await pause(50);
      }
      end.abort();
      const closed = await Promise.all(floods);
      expect(Math.min(...closed)).toBeGreaterThan(1);
      expect(reader.heard.filter((id) => id.startsWith("f"))).toHaveLength(200);
      expect([reader.closeCode, speaker.closeCode]).toEqual([undefined, undefined]);
      await expectOk(server.url, "GET", "/api/servers");
      for (const { webSocket } of [reader, speaker]) webSocket.close();
    },
    3 * MINUTES,
  );
});
