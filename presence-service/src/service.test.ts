import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { healthSubject, presenceSubjects } from "@hearth/contracts";
import {
  type Bus,
  createMemoryBus,
  createMetrics,
  type Metrics,
  type ServiceModule,
  systemClock,
} from "@hearth/runtime";
import { recordedLog } from "@hearth/runtime/testing";
import { WebSocket } from "ws";
import {
  createMemoryCarrier,
  createPresenceService,
  createMemoryRoster,
  createMemoryVoiceLeases,
  VOICE_TTL_MS,
} from "./index.ts";
import { type Message, SERVER, Services } from "./testing/index.ts";

interface Dialled {
  readonly socket: WebSocket;
  readonly received: Message[];
  readonly until: (type: string) => Promise<Message>;
}

describe("the presence service", () => {
  const recorded = recordedLog();
  let bus: Bus;
  let metrics: Metrics;
  let services: Services;
  let service: ServiceModule;
  let url: string;
  let close: () => Promise<void>;

  beforeEach(async () => {
    bus = createMemoryBus({ log: recorded.log });
    metrics = createMetrics({ process: false });
    services = new Services(bus);
    service = createPresenceService({
      roster: createMemoryRoster(systemClock),
      leases: createMemoryVoiceLeases(systemClock, VOICE_TTL_MS),
      carrier: createMemoryCarrier(),
      ...{ bus, metrics, clock: systemClock, log: recorded.log, random: () => 0.5 },
    });
    const server = createServer();
    server.on("upgrade", (request, socket, head) => service.upgrade?.(request, socket, head));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`;
    await service.start();
    close = async () => {
      await service.stop();
      await bus.close();
      server.close();
      await once(server, "close");
    };
  });
  afterEach(() => close());

  const dial = async (): Promise<Dialled> => {
    const socket = new WebSocket(url);
    const received: Message[] = [];
    let heard = (): void => undefined;
    socket.on("message", (data: Buffer) => {
      received.push(JSON.parse(data.toString()) as Message);
      heard();
    });
    await once(socket, "open");
    const until = async (type: string): Promise<Message> => {
      for (;;) {
        const message = received.find((each) => each["type"] === type);
        if (message) return message;
        await new Promise<void>((resolve) => (heard = resolve));
      }
    };
    return { socket, received, until };
  };
  const arrive = async (): Promise<Dialled> => {
    const dialled = await dial();
    const { token } = services.logIn(Date.now() + 3_600_000);
    for (const message of [
      { type: "identify", token },
      { type: "join_server", serverId: SERVER },
    ]) {
      dialled.socket.send(JSON.stringify(message));
    }
    await dialled.until("server_joined");
    return dialled;
  };

  it("WS1 serves sockets and answers the other services", async () => {
    const [one, two] = [await arrive(), await arrive()];
    const message = { type: "chat_message", serverId: SERVER, message: { id: "m", content: "hello" } };
    one.socket.send(JSON.stringify(message));
    expect(await two.until("chat_message")).toMatchObject(message);
    expect(await bus.request(healthSubject("presence"), {})).toEqual({ ready: true });
    expect(await bus.request(presenceSubjects.online, { serverIds: [SERVER] })).toEqual({
      counts: { [SERVER]: 2 },
    });
  });

  it("WS15 drains: it is not ready, refuses upgrades, notifies everybody, and the close names the same delay", async () => {
    const { socket, until } = await arrive();
    const closed = once(socket, "close") as Promise<[number, Buffer]>;
    const stopping = service.stop();
    expect(service.ready()).toBe(false);
    const [, response] = (await once(new WebSocket(url), "unexpected-response")) as [
      unknown,
      { statusCode: number },
    ];
    expect(response.statusCode).toBe(503);
    const { retryInMs } = await until("server_draining");
    expect(await until("closing")).toMatchObject({ closeCode: 4001, reconnect: true, retryInMs });
    const [code, reason] = await closed;
    expect([code, JSON.parse(reason.toString())]).toEqual([4001, { reason: "restarting", retryInMs }]);
    await stopping;
    await expect(bus.request(healthSubject("presence"), {})).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("stops twice without connections, and reports the last activity", async () => {
    const reports: unknown[] = [];
    bus.subscribe(presenceSubjects.activity, (report) => void reports.push(report));
    const { socket, until } = await arrive();
    const chat = {
      type: "chat_message",
      serverId: SERVER,
      message: { id: "m", content: "" },
      requestId: "r",
    };
    socket.send(JSON.stringify(chat));
    await until("ack");
    await service.stop();
    await service.stop();
    await new Promise((resolve) => setImmediate(resolve));
    expect(reports).toEqual([{ items: [{ serverId: SERVER, messages: 1 }] }]);
  });

  it("counts the events of its sockets", async () => {
    const { socket } = await arrive();
    socket.send("no JSON");
    const other = await dial();
    other.socket.close(1000);
    await once(other.socket, "close");
    const text = await metrics.text();
    for (const line of [
      'hearth_presence_sockets{door="plain"} 1',
      "hearth_presence_identified_connections 1",
      'hearth_presence_identifies_total{outcome="identified"} 1',
      'hearth_presence_closes_total{door="plain",code="1000"} 1',
      'hearth_presence_refusals_total{code="INVALID_REQUEST"} 1',
    ]) {
      expect(text).toContain(line);
    }
    for (const name of [
      "sent_bytes_total",
      "received_bytes_total",
      "queue_messages",
      "message_seconds_count",
    ]) {
      expect(text).toMatch(new RegExp(`^hearth_presence_${name}[^\\n]* \\d`, "m"));
    }
  });
});
