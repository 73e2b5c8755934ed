import { describe, expect, it } from "@jest/globals";
import {
  call,
  createServer,
  dialPlain,
  dialRaw,
  expectOk,
  freshName,
  join,
  openDevice,
  RAW_DOORS,
  register,
  settled,
} from "../../src/client/index.ts";
import { serverForTests } from "../../src/server/for-tests.ts";
import { type Measurements, metricsOf } from "../../src/server/metrics.ts";
import { startServer } from "../../src/server/process.ts";

const server = serverForTests({ env: { LOG_LEVEL: "debug" } });

describe("metrics", () => {
  const moved = async (
    name: string,
    labels: Record<string, string>,
    act: () => Promise<void>,
  ): Promise<number> => {
    const before = (await metricsOf(server)).sum(name, labels);
    await act();
    return (await metricsOf(server)).sum(name, labels) - before;
  };

  it.each(RAW_DOORS)(
    "WS11 count sockets, identify outcomes and closes by code on the %s door",
    async (door) => {
      const before = await metricsOf(server);
      const account = await register(server.url);
      const socket = await dialRaw(server.url, door);
      for (const token of ["wrong", undefined, account.token]) {
        socket.say(JSON.stringify({ type: "identify", token }), "identify");
      }
      await socket.inbox.next("identified");
      const during = await metricsOf(server);
      const change = (from: Measurements, to: Measurements, name: string, labels = {}): number =>
        to.sum(name, labels) - from.sum(name, labels);
      expect(change(before, during, "hearth_presence_sockets", { door })).toBe(1);
      expect(change(before, during, "hearth_presence_identified_connections")).toBe(1);
      for (const outcome of ["identified", "auth_error", "auth_required"]) {
        expect([outcome, change(before, during, "hearth_presence_identifies_total", { outcome })]).toEqual([
          outcome,
          1,
        ]);
      }
      await expectOk(server.url, "POST", "/api/users/logout", { token: account.token });
      await socket.closed;
      await new Promise((resolve) => setTimeout(resolve, 50));
      const after = await metricsOf(server);
      expect(change(during, after, "hearth_presence_closes_total", { door, code: "4501" })).toBe(1);
      expect(after.sum("hearth_presence_sockets", { door })).toBe(
        before.sum("hearth_presence_sockets", { door }),
      );
      expect(
        after.sum("hearth_auth_sessions_ended_total") - before.sum("hearth_auth_sessions_ended_total"),
      ).toBe(1);
    },
  );

  it("WS9 count relays by type and refusals by code", async () => {
    const owner = await register(server.url);
    const room = await createServer(server.url, owner, { name: freshName("room") });
    const device = await openDevice(dialPlain, server.url, owner);
    await join(device, room.id);
    const chat = { type: "chat_message", serverId: room.id, message: { id: "m", content: "x" } };
    const relays = "hearth_presence_relays_total";
    expect(
      await moved(relays, { type: "chat_message" }, async () => {
        for (let sent = 0; sent < 5; sent += 1) await device.ask(chat);
      }),
    ).toBe(5);
    expect(
      await moved("hearth_presence_refusals_total", { code: "NOT_JOINED" }, async () => {
        await device.ask({ ...chat, serverId: crypto.randomUUID() });
      }),
    ).toBe(1);
    await device.close();
  });

  it("WS2 show the queue depth while something is slow", async () => {
    const slow = await startServer({
      entry: "e2e/entries/slow-auth.ts",
      env: { SEED: "7", MAX_DELAY_MS: "2000", LOG_LEVEL: "error" },
    });
    try {
      // A shared token would be verified only once.
      const people = await Promise.all(Array.from({ length: 8 }, () => register(slow.url)));
      const sockets = await Promise.all(people.map(() => dialPlain(slow.url)));
      const depth = async (): Promise<number> =>
        (await metricsOf(slow)).sum("hearth_presence_queue_messages");
      expect(await depth()).toBe(0);
      for (const [at, socket] of sockets.entries()) {
        socket.send({ type: "identify", token: people[at]?.token });
        for (let sent = 0; sent < 20; sent += 1) socket.send({ type: "ping" });
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await depth()).toBeGreaterThanOrEqual(20);
      await Promise.all(sockets.map((socket) => socket.inbox.next("identified")));
      await settled(...sockets);
      expect(await depth()).toBe(0);
      for (const socket of sockets) await socket.close();
    } finally {
      await slow.stop();
      await slow.cleanUp();
    }
  }, 60_000);

  it("AU8 WS12 count hits of each limiter and of the sockets' own limits", async () => {
    const account = await register(server.url, "limited");
    const guess = () =>
      call(server.url, "POST", "/api/users/login", {
        body: { username: "limited", password: "a wrong one" },
      });
    const hits = await moved("hearth_limiter_refusals_total", { limiter: "account-failures" }, async () => {
      for (let tries = 0; tries < 12; tries += 1) await guess();
    });
    expect(hits).toBe(2);
    const socket = await openDevice(dialPlain, server.url, account);
    const refused = await moved("hearth_presence_refusals_total", { code: "RATE_LIMITED" }, async () => {
      for (let sent = 0; sent < 400; sent += 1) socket.send({ type: "ping" });
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    expect(refused).toBeGreaterThan(50);
    expect(refused).toBe(socket.inbox.count("error", ({ code }) => code === "RATE_LIMITED"));
    await socket.close();
  });

  it("GW1 measure the bus's latency, the event loop's lag and every service's requests", async () => {
    const { token } = await register(server.url);
    const ask = async (): Promise<void> => {
      await expectOk(server.url, "GET", "/api/servers", { token });
      await expectOk(server.url, "GET", "/api/health");
    };
    expect(
      await moved("hearth_bus_request_duration_seconds_count", { subject: "sync.health" }, ask),
    ).toBeGreaterThan(0);
    expect(
      await moved("hearth_bus_request_duration_seconds_sum", { subject: "sync.health" }, ask),
    ).toBeGreaterThan(0);
    const listed = { service: "discovery", operation: "listServers", status: "200" };
    expect(await moved("hearth_http_requests_total", listed, ask)).toBe(1);
    expect(await moved("hearth_gateway_requests_total", { upstream: "discovery", status: "200" }, ask)).toBe(
      1,
    );
    const measured = await metricsOf(server);
    for (const name of [
      "nodejs_eventloop_lag_seconds",
      "nodejs_eventloop_lag_p99_seconds",
      "process_resident_memory_bytes",
      "process_open_fds",
    ]) {
      expect([name, measured.has(name)]).toEqual([name, true]);
    }
    expect(measured.sum("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
  });

  it("GW1 have no label with a user, a server, an address or a path", async () => {
    const owner = await register(server.url);
    const room = await createServer(server.url, owner, { name: freshName("labelled") });
    await expectOk(server.url, "GET", `/api/servers/${room.id}`);
    const { text } = await metricsOf(server);
    for (const private_ of [owner.id, owner.username, room.id, room.name, "127.0.0.1", "/api/"]) {
      expect(text).not.toContain(private_);
    }
  });
});
