import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { setTimeout } from "node:timers/promises";
import { eventSubject } from "@hearth/contracts";
import { z } from "zod";
import { collector, double, happened } from "../testing/bus-contract-subjects.ts";
import { describeBusContract } from "../testing/bus.contract.ts";
import { recordedLog } from "../testing/doubles.ts";
import { natsProgram } from "../testing/servers/config.ts";
import { createNatsServer } from "../testing/servers/nats.ts";
import { freePort } from "../testing/servers/server-process.ts";
import type { ServerProcess } from "../testing/servers/server-process.ts";
import { until } from "../testing/until.ts";
import { silentLog } from "../log/log.ts";
import type { Bus } from "./bus.ts";
import { createNatsBus } from "./nats-bus.ts";

const unheard = eventSubject("test.unheard", z.object({}));
const program = natsProgram ?? "";
const suite = natsProgram === undefined ? describe.skip : describe;

suite("the NATS bus (needs nats-server)", () => {
  let server: ServerProcess;
  const opened: Bus[] = [];

  const open = (port = server.port, log = silentLog): Bus => {
    const bus = createNatsBus({ log, servers: [`127.0.0.1:${port}`], name: "test", drainMs: 300 });
    opened.push(bus);
    return bus;
  };
  const opening = async (): Promise<Bus> => {
    const bus = open();
    await until(() => bus.connected);
    return bus;
  };

  beforeAll(async () => {
    server = await createNatsServer(program);
    await server.start();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((bus) => bus.close()));
  });
  afterAll(() => server.end());

  describeBusContract("the NATS bus", async () => {
    const [bus, other] = [await opening(), await opening()];
    // The server handles what one connection sends in order: once it has an event of each, it has their subscriptions.
    const settled = async () => {
      await Promise.all([bus.publish(unheard, {}), other.publish(unheard, {})]);
    };
    return { bus, other, settled };
  });

  it("F13 a retired one answers the requests that were on their way, and the other one all later ones", async () => {
    const [asking, retiring, staying] = [await opening(), await opening(), await opening()];
    const answers = { retiring: 0, staying: 0 };
    const answer = (bus: Bus, name: keyof typeof answers) =>
      bus.answer(double, async ({ n }) => {
        await setTimeout(2);
        answers[name] += 1;
        return { n: 2 * n };
      });
    answer(retiring, "retiring");
    answer(staying, "staying");
    await Promise.all([retiring.publish(unheard, {}), staying.publish(unheard, {})]);
    const asked: Promise<unknown>[] = [];
    for (let n = 0; n < 400; n++) {
      asked.push(asking.request(double, { n }));
      if (n % 20 === 0) await setTimeout(1);
      if (n === 200) void retiring.retire?.();
    }
    await Promise.all(asked);
    expect(answers.retiring).toBeGreaterThan(20);
    expect(answers.staying).toBeGreaterThan(answers.retiring);
    expect(answers.retiring + answers.staying).toBe(400);
  });

  it("connects when the server appears, with the subscriptions made before", async () => {
    const port = await freePort();
    const bus = open(port);
    const received = collector<number>(1);
    bus.subscribe(happened, ({ n }) => received.put(n));
    bus.answer(double, async ({ n }) => ({ n: n * 2 }));
    expect(bus.connected).toBe(false);
    await expect(bus.publish(happened, { n: 1 })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(bus.request(double, { n: 1 })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    const late = await createNatsServer(program, { port });
    await late.start();
    try {
      await until(() => bus.connected);
      await bus.publish(happened, { n: 2 });
      expect(await received.all).toEqual([2]);
      await expect(bus.request(double, { n: 4 })).resolves.toEqual({ n: 8 });
    } finally {
      await late.end();
    }
  });

  it("F6 refuses at once while the server is down, reconnects by itself, and reports it", async () => {
    const own = await createNatsServer(program);
    await own.start();
    const { log, records } = recordedLog();
    const [bus, other] = [open(own.port, log), open(own.port)];
    const received: number[] = [];
    let reconnects = 0;
    other.subscribe(happened, ({ n }) => void received.push(n));
    other.answer(double, () => new Promise(() => undefined));
    bus.onReconnect(() => (reconnects += 1));
    await until(() => bus.connected && other.connected);
    await bus.publish(happened, { n: 1 });
    await until(() => received.length === 1);

    const open1 = bus.request(double, { n: 1 }, { timeoutMs: 60_000 }).catch((error: unknown) => error);
    await own.end("SIGKILL");
    expect(await open1).toMatchObject({ code: "UNAVAILABLE", retryable: true });
    const refused = await Promise.allSettled([
      bus.publish(happened, { n: 2 }),
      bus.request(double, { n: 2 }, { timeoutMs: 60_000 }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(bus.connected).toBe(false);

    await own.start();
    await until(() => bus.connected && other.connected);
    await bus.publish(happened, { n: 3 });
    await until(() => received.length === 2);
    expect(received).toEqual([1, 3]);
    expect(reconnects).toBe(1);
    const told = records().filter(({ level }) => Number(level) > 20);
    expect(told.map(({ msg }) => msg)).toEqual([
      "the bus is connected",
      "the bus takes smaller messages than clients may send",
      "the bus is gone",
      "the bus is back",
    ]);
    await own.end();
  });

  it("F6 reports for every event whether the server took it, through a series of outages", async () => {
    const own = await createNatsServer(program);
    await own.start();
    const [bus, other] = [open(own.port), open(own.port)];
    const received = new Set<number>();
    other.subscribe(happened, ({ n }) => void received.add(n));
    await until(() => bus.connected && other.connected);
    const handedOver: number[] = [];
    let n = 0;
    const publishing = async (rounds: number) => {
      for (let round = 0; round < rounds; round++) {
        const mine = Array.from({ length: 20 }, () => n++);
        const outcomes = await Promise.allSettled(mine.map((id) => bus.publish(happened, { n: id })));
        outcomes.forEach(({ status }, index) => status === "fulfilled" && handedOver.push(mine[index] ?? -1));
        await setTimeout(1);
      }
    };
    for (let outage = 0; outage < 3; outage++) {
      const published = publishing(60);
      await setTimeout(40);
      await own.end("SIGKILL");
      await own.start();
      await published;
      await until(() => bus.connected && other.connected);
    }
    expect(handedOver.length).toBeGreaterThan(100);
    expect(handedOver.length).toBeLessThan(n);
    // Whoever received nothing in an outage was disconnected itself; what was refused may have arrived all the same.
    await bus.publish(happened, { n });
    await until(() => received.has(n));
    await own.end();
  });

  it("notices a server that no longer answers, and closes before it ever connected", async () => {
    const mute = createServer().listen(0, "127.0.0.1");
    await once(mute, "listening");
    const address = mute.address();
    const bus = open(typeof address === "object" && address ? address.port : 0);
    expect(bus.connected).toBe(false);
    await bus.close();
    mute.close();
  });
});
