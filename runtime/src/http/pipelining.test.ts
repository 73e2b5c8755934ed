import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { recordedLog } from "../testing/doubles.ts";
import { until } from "../testing/until.ts";
import { createHttpListener } from "./listener.ts";
import type { HttpListener, HttpListenerOptions } from "./listener.ts";

const { log, records } = recordedLog();
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const countIn = (text: string, wanted: RegExp): number => text.match(wanted)?.length ?? 0;

describe("a connection that sends many requests at once", () => {
  const started: HttpListener[] = [];
  const sockets: Socket[] = [];
  const open: { request: IncomingMessage; response: ServerResponse }[] = [];
  afterEach(async () => {
    open.length = 0;
    for (const socket of sockets.splice(0)) socket.destroy();
    await Promise.all(started.splice(0).map((listener) => listener.stop()));
  });

  const start = async (options: Partial<HttpListenerOptions> = {}): Promise<HttpListener> => {
    const listener = createHttpListener({
      host: "127.0.0.1",
      port: 0,
      listener: (request, response) => void open.push({ request, response }),
      log,
      stopLimitMs: 10,
      ...options,
    });
    await listener.start();
    started.push(listener);
    return listener;
  };
  const dial = async ({ port }: HttpListener, bytes: string | Buffer) => {
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    let received = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => (received += chunk));
    socket.on("error", () => undefined);
    await once(socket, "connect");
    socket.write(bytes);
    return { socket, received: () => received };
  };

  it("AB2 is served one at a time, in order", async () => {
    const client = await dial(await start(), ["/0", "/1", "/2"].map(get).join(""));
    for (let index = 0; index < 3; index++) {
      await until(() => open.length === index + 1);
      await sleep(20);
      expect(open).toHaveLength(index + 1);
      open[index]?.response.end(`<${open[index]?.request.url}>`);
    }
    await until(() => client.received().includes("</2>"));
    expect(client.received().match(/<\/\d>/g)).toEqual(["</0>", "</1>", "</2>"]);
  });

  it("AB2 gets all 2,000 responses when it sends faster than the server reads", async () => {
    const listener = await start({
      listener: (_request, response) => void setImmediate(() => response.end("x")),
    });
    const client = await dial(listener, "");
    for (let sent = 0; sent < 2_000; sent += 100) {
      client.socket.write(get("/").repeat(100));
      await until(() => countIn(client.received(), /HTTP\/1\.1 200/g) >= sent - 50);
    }
    await until(() => countIn(client.received(), /HTTP\/1\.1 200/g) === 2_000);
  });

  it("AB2 is paused while many wait, and resumed once they are answered", async () => {
    const listener = await start();
    const client = await dial(listener, get("/").repeat(20));
    await until(() => open.length === 1);
    await sleep(50);
    client.socket.write(get("/late").repeat(500_000));
    await sleep(100);
    // What the server does not read fills the connection, and stays with the client.
    expect(client.socket.writableLength).toBeGreaterThan(0);
    expect(client.socket.destroyed).toBe(false);
    expect(open).toHaveLength(1);
  });

  it("AB2 is closed when 5,000 requests wait over all connections, and no other connection is", async () => {
    const listener = await start();
    const clients = await Promise.all(
      Array.from({ length: 6 }, () => dial(listener, get("/").repeat(2_000))),
    );
    await until(() => clients.some(({ socket }) => socket.destroyed));
    await sleep(100);
    expect(clients.filter(({ socket }) => !socket.destroyed).length).toBeGreaterThanOrEqual(2);
    for (const { socket } of clients) socket.destroy();
    open.length = 0;
    await sleep(50);
    const next = await dial(listener, get("/").repeat(100));
    await until(() => open.length === 1);
    expect(next.socket.destroyed).toBe(false);
  });

  it("AB2 drops waiting requests when it ends, and the one in progress is notified", async () => {
    const client = await dial(await start(), get("/").repeat(10));
    await until(() => open.length === 1);
    let closed = false;
    open[0]?.response.once("close", () => (closed = true));
    client.socket.destroy();
    await until(() => closed);
    await sleep(20);
    expect(open).toHaveLength(1);
  });

  it("AB2 drops requests behind a response that ends the connection", async () => {
    const client = await dial(await start(), get("/").repeat(3));
    await until(() => open.length === 1);
    open[0]?.response.setHeader("Connection", "close").end("bye");
    await once(client.socket, "close");
    expect(countIn(client.received(), /HTTP\/1\.1/g)).toBe(1);
    expect(open).toHaveLength(1);
  });

  it("AB2 gets its responses before the refusal of a malformed request behind them", async () => {
    const client = await dial(await start(), `${get("/0")}${get("/1")}nonsense\r\n\r\n`);
    for (const index of [0, 1]) {
      await until(() => open.length === index + 1);
      await sleep(10);
      expect(client.received()).not.toContain("400");
      open[index]?.response.end("fine");
    }
    await once(client.socket, "close");
    expect(client.received().match(/HTTP\/1\.1 \d+/g)).toEqual([
      "HTTP/1.1 200",
      "HTTP/1.1 200",
      "HTTP/1.1 400",
    ]);
    expect(records()).toContainEqual(
      expect.objectContaining({ msg: "malformed request refused", status: 400, code: "HPE_INVALID_METHOD" }),
    );
    expect(JSON.stringify(records())).not.toContain("stack");
  });

  it("AB2 makes an upgrade wait for its turn too", async () => {
    const upgrades: string[] = [];
    const listener = await start({
      onUpgrade: (request, socket) => {
        upgrades.push(request.url ?? "");
        socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n");
      },
    });
    const upgrade = "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
    const client = await dial(listener, get("/") + upgrade);
    await until(() => open.length === 1);
    await sleep(20);
    expect(upgrades).toEqual([]);
    open[0]?.response.end("first");
    await once(client.socket, "close");
    expect(upgrades).toEqual(["/ws"]);
    expect(client.received()).toMatch(/200.*first.*101/s);
  });

  it("ER1 survives a tunnel request that is reset", async () => {
    const listener = await start({ listener: (_request, response) => void response.end("alive") });
    const client = await dial(listener, "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n");
    client.socket.resetAndDestroy();
    await sleep(20);
    const second = await dial(listener, get("/"));
    await until(() => second.received().includes("alive"));
  });
});
