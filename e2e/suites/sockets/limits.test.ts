import { describe, expect, it } from "@jest/globals";
import { until } from "@hearth/runtime/testing/until";
import { createServer, dialRaw, RAW_DOORS, register } from "../../src/client/index.ts";
import { alive, ask, identified, tell } from "../../src/expectations/raw-device.ts";
import { LOUD } from "../../src/server/member.ts";
import { serverForTests } from "../../src/server/for-tests.ts";
import { sharedServerForTests } from "../../src/server/shared-server-for-tests.ts";
import { metricsOf } from "../../src/server/metrics.ts";

/** Set by the protocol: WS12. */
const BURST = 240;
const CONNECTIONS = 100;

const server = serverForTests();
const hall = sharedServerForTests(server);

describe.each(RAW_DOORS)("limits on the %s door", (door) => {
  it("WS12 messages past the burst are RATE_LIMITED with their requestId; typing has its own rate", async () => {
    const socket = await identified(server.url, door, await register(server.url));
    await ask(socket, { type: "join_server", serverId: hall.room.id });
    const count = BURST + 60;
    for (let sent = 0; sent < count; sent += 1) tell(socket, { type: "ping", requestId: `p${sent}` });
    tell(socket, { type: "user_typing", serverId: hall.room.id, requestId: "typing" });
    expect(await socket.inbox.answer("typing")).toMatchObject({ type: "ack" });
    const refused = socket.inbox.all.filter(({ code }) => code === "RATE_LIMITED");
    const pongs = socket.inbox.count("pong");
    expect(pongs + refused.length).toBe(count);
    expect(refused.length).toBeGreaterThan(20);
    for (const error of refused) {
      expect(error).toMatchObject({ type: "error", retryable: true, inReplyTo: "ping" });
      expect(error["requestId"]).toMatch(/^p\d+$/);
      expect(error["retryAfterMs"]).toBeGreaterThan(0);
    }
    await socket.close();
  });

  it("WS12 a client that keeps sending is closed with 4008", async () => {
    const socket = await identified(server.url, door, await register(server.url));
    for (let sent = 0; sent < 3_000; sent += 1) tell(socket, { type: "ping" });
    expect(await socket.inbox.next("closing")).toMatchObject({
      closeCode: 4008,
      reason: "rate",
      reconnect: true,
    });
    expect((await socket.closed).code).toBe(4008);
  });

  it("WS12 a user's 101st connection is closed with 4505, and the others stay", async () => {
    const account = await register(server.url);
    const sockets = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => identified(server.url, door, account)),
    );
    const surplus = await dialRaw(server.url, door);
    tell(surplus, { type: "identify", token: account.token });
    expect(await surplus.inbox.next("closing")).toMatchObject({ closeCode: 4505, reconnect: false });
    expect((await surplus.closed).code).toBe(4505);
    await Promise.all(sockets.map(alive));
    await sockets[0]?.close();
    await (await identified(server.url, door, account)).close();
    await Promise.all(sockets.slice(1).map((socket) => socket.close()));
  });
});

describe.each(RAW_DOORS)("a slow reader on the %s door", (door) => {
  const server = serverForTests({ env: LOUD });
  const hall = sharedServerForTests(server);

  it("WS13 a reader that stops reading is closed with 4002 and delays nobody", async () => {
    const closes = async () =>
      (await metricsOf(server)).sum("hearth_presence_closes_total", { code: "4002", door });
    const before = await closes();
    const crowd = await createServer(server.url, hall.ada, { name: "Crowd" });
    const [slow, reader, ...senders] = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const socket = await identified(server.url, door, await register(server.url));
        await ask(socket, { type: "join_server", serverId: crowd.id });
        return socket;
      }),
    );
    if (!slow || !reader) throw new Error("eight sockets were opened");
    slow.webSocket.pause();
    const content = "x".repeat(60_000);
    // Proxies buffer, too, and an unread socket closes late, so the number of messages varies. Ten messages and a
    // ping in 200 ms stay within the rate (WS12).
    let told = 0;
    while ((await closes()) === before) {
      for (const sender of senders) {
        for (let sent = 0; sent < 10; sent += 1) {
          tell(sender, { type: "chat_message", serverId: crowd.id, message: { id: `${sent}`, content } });
          told += 1;
        }
      }
      await Promise.all([reader, ...senders].map(alive));
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await until(async () => reader.inbox.count("chat_message") >= told, 5_000);
    expect(reader.inbox.count("chat_message")).toBe(told);
    slow.webSocket.resume();
    await slow.closed;
    expect(slow.inbox.count("chat_message")).toBeLessThan(told);
    await Promise.all([reader, ...senders].map((socket) => socket.close()));
  }, 40_000);
});
