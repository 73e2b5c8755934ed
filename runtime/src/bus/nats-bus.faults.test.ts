import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "@jest/globals";
import { eventSubject, requestSubject } from "@hearth/contracts";
import { z } from "zod";
import { createMetrics } from "../metrics/metrics.ts";
import { double, happened } from "../testing/bus-contract-subjects.ts";
import { recordedLog } from "../testing/doubles.ts";
import { natsProgram } from "../testing/servers/config.ts";
import { createNatsServer } from "../testing/servers/nats.ts";
import type { ServerProcess } from "../testing/servers/server-process.ts";
import { until } from "../testing/until.ts";
import { createNatsBus } from "./nats-bus.ts";
import type { NatsBusOptions } from "./nats-bus.ts";
import type { Bus } from "./bus.ts";

const bulk = eventSubject("test.bulk", z.object({ text: z.string() }));
const echo = requestSubject("test.echo", z.object({ size: z.number() }), z.object({ text: z.string() }));
const suite = natsProgram === undefined ? describe.skip : describe;

suite("the NATS bus in trouble (needs nats-server)", () => {
  const cleanUp: (() => Promise<unknown>)[] = [];
  const { log, records } = recordedLog();
  const said = (level: number): unknown[] =>
    records()
      .filter((record) => record["level"] === level)
      .map(({ msg }) => msg);

  const serving = async (config?: string): Promise<ServerProcess> => {
    const configFile = path.join(await mkdtemp(path.join(tmpdir(), "hearth-nats-")), "nats.conf");
    if (config !== undefined) await writeFile(configFile, config);
    const server = await createNatsServer(natsProgram ?? "", config === undefined ? {} : { configFile });
    await server.start();
    cleanUp.push(() => server.end());
    return server;
  };
  const open = (port: number, options: Partial<NatsBusOptions> = {}): Bus => {
    const bus = createNatsBus({
      log,
      servers: [`127.0.0.1:${port}`],
      name: "test",
      drainMs: 300,
      ...options,
    });
    cleanUp.unshift(() => bus.close());
    return bus;
  };
  const opened = async (port: number, options: Partial<NatsBusOptions> = {}): Promise<Bus> => {
    const bus = open(port, options);
    await until(() => bus.connected);
    return bus;
  };

  afterEach(async () => {
    for (const end of cleanUp.splice(0)) await end();
  });

  it("F6 fails in time while the server is frozen, replaces the connection, and recovers", async () => {
    const server = await serving();
    const metrics = createMetrics();
    const bus = await opened(server.port, { metrics });
    let reconnects = 0;
    bus.onReconnect(() => (reconnects += 1));
    server.signal("SIGSTOP");
    const frozenAt = performance.now();
    const outcomes = await Promise.allSettled([
      bus.publish(happened, { n: 1 }),
      bus.request(double, { n: 1 }),
      // More than the kernel takes, so that writing to the server stalls, too.
      ...Array.from({ length: 16 }, () => bus.publish(bulk, { text: "x".repeat(900_000) })),
    ]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toEqual([]);
    expect(performance.now() - frozenAt).toBeLessThan(5_000);
    await until(() => !bus.connected, 15_000);
    expect(bus.connected).toBe(false);
    expect(await metrics.text()).toContain("hearth_bus_connected 0");
    server.signal("SIGCONT");
    await until(() => bus.connected);
    expect(reconnects).toBe(1);
    await expect(bus.publish(happened, { n: 2 })).resolves.toBeUndefined();
    expect(await metrics.text()).toContain("hearth_bus_connected 1");
  }, 40_000);

  it("closes in time while the server is frozen", async () => {
    const server = await serving();
    const bus = await opened(server.port);
    bus.subscribe(happened, () => undefined);
    server.signal("SIGSTOP");
    const from = performance.now();
    await bus.close();
    expect(performance.now() - from).toBeLessThan(3_500);
  });

  it("logs once that it cannot connect, and once that its credentials are refused, however often it tries", async () => {
    const absent = createServer().listen(0, "127.0.0.1");
    await once(absent, "listening");
    const { port } = absent.address() as AddressInfo;
    absent.close();
    const before = records().length;
    const lost = open(port);
    await until(() => said(20).length >= 3);
    await lost.close();
    const server = await serving("authorization { user: a, password: right-password }");
    const bus = open(server.port, { user: "a", password: "wrong-password" });
    const from = records().length;
    await until(() => records().length > from + 3);
    expect(bus.connected).toBe(false);
    const warned = records()
      .slice(before)
      .filter(({ level }) => level === 40);
    expect(warned.map(({ msg }) => msg)).toEqual(["the bus cannot be reached", "the bus cannot be reached"]);
    expect(JSON.stringify(records())).not.toContain("-password");
  });

  it("reports messages that the server's permissions refuse, and never counts them as sent", async () => {
    const server = await serving(`authorization { users: [{ user: u, password: a-long-password,
      permissions: { publish: ["_INBOX.>", "test.echo"], subscribe: ["_INBOX.test.>", "test.echo"] } }] }`);
    const bus = await opened(server.port, { user: "u", password: "a-long-password" });
    await expect(bus.publish(happened, { n: 1 })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    const asked = performance.now();
    await expect(bus.request(double, { n: 1 })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(performance.now() - asked).toBeLessThan(1_500);
    bus.subscribe(happened, () => undefined);
    await until(() => said(50).includes("the bus refuses a subscription"), 3_000);
    expect(said(50)).toContain("the bus does not let this service send to a subject");
    expect(said(50)).toContain("the bus refuses a subscription");
    bus.answer(echo, async () => ({ text: "" }));
    await expect(bus.request(echo, { size: 0 })).resolves.toEqual({ text: "" });
  });

  it("refuses messages that are too large for the server, and keeps its connection", async () => {
    const server = await serving();
    const [bus, other] = [await opened(server.port), await opened(server.port)];
    let reconnects = 0;
    for (const each of [bus, other]) each.onReconnect(() => (reconnects += 1));
    other.answer(echo, async ({ size }) => ({ text: "x".repeat(size) }));
    await other.publish(happened, { n: 1 });
    const large = { code: "PAYLOAD_TOO_LARGE", retryable: false };
    await expect(bus.publish(bulk, { text: "x".repeat(1_100_000) })).rejects.toMatchObject(large);
    await expect(bus.request(echo, { size: 1_100_000 })).rejects.toMatchObject(large);
    await expect(bus.request(echo, { size: 1_000_000 })).resolves.toBeDefined();
    expect([bus.connected, other.connected, reconnects]).toEqual([true, true, 0]);
  });

  it("keeps ten thousand open requests apart, and releases each", async () => {
    const server = await serving();
    const [bus, other] = [await opened(server.port), await opened(server.port)];
    other.answer(double, async ({ n }) => ({ n: n * 2 }));
    await other.publish(happened, { n: 1 });
    const questions = Array.from({ length: 10_000 }, (_, n) =>
      bus.request(double, { n }, { timeoutMs: 20_000 }),
    );
    const answers = await Promise.all(questions);
    expect(answers.every(({ n }, index) => n === index * 2)).toBe(true);
    const closedAt = performance.now();
    await bus.close();
    expect(performance.now() - closedAt).toBeLessThan(3_000);
  }, 30_000);

  it("receives the events of one publisher in order, across subjects", async () => {
    const server = await serving();
    const [bus, other] = [await opened(server.port), await opened(server.port)];
    const order: string[] = [];
    other.subscribe(happened, ({ n }) => void order.push(`h${n}`));
    other.subscribe(bulk, ({ text }) => void order.push(text));
    await other.publish(happened, { n: -1 });
    const wanted = Array.from({ length: 300 }, (_, n) => (n % 3 === 0 ? `b${n}` : `h${n}`));
    await Promise.all(
      wanted.map((text, n) => (n % 3 === 0 ? bus.publish(bulk, { text }) : bus.publish(happened, { n }))),
    );
    await until(() => order.length === 301);
    expect(order.slice(1)).toEqual(wanted);
  });
});
