import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import { afterEach, describe, expect, it } from "@jest/globals";
import { StartError } from "../errors/start-error.ts";
import { recordedLog } from "../testing/doubles.ts";
import { createHttpListener } from "./listener.ts";
import type { HttpListener, HttpListenerOptions } from "./listener.ts";

const { log, records } = recordedLog();
const hello: RequestListener = (_request, response) => response.end("hello");
const HEAD = "GET / HTTP/1.1\r\nHost: x\r\n";
const UPGRADE = `${HEAD}Connection: Upgrade\r\n`;

/** Resolves to what it was resolved with by hand. */
function gate<Value = void>() {
  let open: (value: Value) => void = () => undefined;
  const opened = new Promise<Value>((resolve) => (open = resolve));
  return { open, opened };
}

describe("an HTTP listener", () => {
  const started: HttpListener[] = [];
  const sockets: Duplex[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await Promise.all(started.splice(0).map((listener) => listener.stop()));
  });

  const start = async (options: Partial<HttpListenerOptions> = {}): Promise<HttpListener> => {
    const listener = createHttpListener({ host: "127.0.0.1", port: 0, listener: hello, log, ...options });
    await listener.start();
    started.push(listener);
    return listener;
  };
  const dial = async ({ port }: HttpListener): Promise<Socket> => {
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    await once(socket, "connect");
    return socket;
  };
  /** Sends bytes and reads until the other side closes. */
  const exchange = async (listener: HttpListener, text: string): Promise<string> => {
    const socket = await dial(listener);
    let answered = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (answered += chunk));
    socket.write(text);
    await once(socket, "close");
    return answered;
  };
  const closing = (text: string): string => `${text}Connection: close\r\n\r\n`;

  it("serves, and reports its port", async () => {
    const listener = await start();
    expect(listener.port).toBeGreaterThan(0);
    expect(await exchange(listener, closing(HEAD))).toMatch(/^HTTP\/1\.1 200 .*hello$/s);
  });

  it("reports a port that another program uses, and does not crash", async () => {
    const { port } = await start();
    const second = createHttpListener({ host: "127.0.0.1", port, listener: hello, log });
    await expect(second.start()).rejects.toThrow(StartError);
    await expect(second.start()).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use by another program`);
    await second.stop();
  });

  it("reports an address that is not one of this machine", async () => {
    const listener = createHttpListener({ host: "192.0.2.1", port: 0, listener: hello, log });
    await expect(listener.start()).rejects.toThrow("is not an address of this machine");
  });

  it.each([
    ["no Host", 400, "GET / HTTP/1.1\r\n\r\n"],
    ["two Hosts", 400, closing(`${HEAD}Host: y\r\n`)],
    [
      "Content-Length beside Transfer-Encoding",
      400,
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ],
    [
      "two Content-Lengths",
      400,
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    ],
    [
      "an unknown transfer encoding",
      400,
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n",
    ],
    ["20 KB of headers", 431, `${HEAD}X: ${"x".repeat(20_000)}\r\n\r\n`],
    ["an unknown method", 405, "HACK / HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["TRACE", 405, closing("TRACE / HTTP/1.1\r\nHost: x\r\n")],
    ["CONNECT", 405, "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["TLS on the plain port", 400, "\x16\x03\x01\x02\x00"],
  ])("refuses %s with %i as a problem, and closes", async (_name, status, bytes) => {
    const answer = await exchange(await start(), bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain("application/problem+json");
    const body: unknown = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")).trim());
    expect(body).toMatchObject({ status, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown });
  });

  it("writes nothing into a started response when the rest of the request is malformed", async () => {
    const half = gate();
    const listener = await start({
      listener: (_request, response) => {
        response.writeHead(200, { "Content-Length": 100 }).write("half", () => half.open());
      },
    });
    const socket = await dial(listener);
    let answered = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (answered += chunk));
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    await half.opened;
    socket.write("not a chunk\r\n");
    await once(socket, "close");
    expect(answered).not.toContain("400");
  });

  it("answers through the response when a body is malformed before anything was sent", async () => {
    const listener = await start({ listener: (request) => void request.resume() });
    const answer = await exchange(
      listener,
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  describe("when a client asks for an upgrade", () => {
    it("hands over only WebSocket upgrades", async () => {
      const upgrades: string[] = [];
      const listener = await start({
        onUpgrade: (request, socket) => {
          upgrades.push(request.headers.upgrade ?? "");
          socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n");
        },
      });
      expect(await exchange(listener, `${UPGRADE}Upgrade: WebSocket\r\n\r\n`)).toMatch(/^HTTP\/1\.1 101 /);
      const h2c = await exchange(
        listener,
        closing(`${HEAD}Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n`),
      );
      expect(h2c).toMatch(/^HTTP\/1\.1 200 /);
      expect(upgrades).toEqual(["WebSocket"]);
    });

    it("serves it as a normal request when there is no upgrade handler", async () => {
      const answer = await exchange(await start(), closing(`${UPGRADE}Upgrade: websocket\r\n`));
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    });

    it("refuses two Hosts there too, and survives a handler that throws", async () => {
      const listener = await start({
        onUpgrade: () => {
          throw new Error("s3cret");
        },
      });
      const two = await exchange(listener, `${UPGRADE}Host: y\r\nUpgrade: websocket\r\n\r\n`);
      expect(two).toMatch(/^HTTP\/1\.1 400 /);
      const failed = await exchange(listener, `${UPGRADE}Upgrade: websocket\r\n\r\n`);
      expect(failed).toMatch(/^HTTP\/1\.1 500 /);
      expect(failed).not.toContain("s3cret");
      expect(records()).toContainEqual(expect.objectContaining({ msg: "an upgrade failed" }));
    });

    it("survives a socket that resets before it has an error listener", async () => {
      const taken = gate<Duplex>();
      const listener = await start({ onUpgrade: (_request, socket) => taken.open(socket) });
      const client = await dial(listener);
      client.write(`${UPGRADE}Upgrade: websocket\r\n\r\n`);
      const socket = await taken.opened;
      const closed = new Promise((resolve) => socket.once("close", resolve));
      client.resetAndDestroy();
      socket.resume();
      await closed;
      expect(socket.destroyed).toBe(true);
    });
  });

  describe("stopping", () => {
    it("lets a response in progress finish and accepts nothing new", async () => {
      const arrived = gate();
      const release = gate();
      const listener = await start({
        listener: (_request, response) => {
          arrived.open();
          void release.opened.then(() => response.end("finished"));
        },
      });
      const { port } = listener;
      const answer = exchange(listener, `${HEAD}\r\n`);
      await arrived.opened;
      let stopped = false;
      const stop = listener.stop().then(() => (stopped = true));
      await expect(once(connect(port, "127.0.0.1"), "connect")).rejects.toMatchObject({
        code: "ECONNREFUSED",
      });
      expect(stopped).toBe(false);
      release.open();
      expect(await answer).toContain("finished");
      await stop;
    });

    it("does not wait for idle connections, used or not", async () => {
      const listener = await start({ stopLimitMs: 60_000 });
      const silent = await dial(listener);
      const used = await dial(listener);
      used.write(`${HEAD}\r\n`);
      await once(used, "data");
      const closed = Promise.all([once(silent, "close"), once(used, "close")]);
      await listener.stop();
      await closed;
    });

    it("cuts off unfinished responses at its limit, and is idempotent", async () => {
      const arrived = gate();
      const listener = await start({ listener: () => arrived.open(), stopLimitMs: 10 });
      const answer = exchange(listener, `${HEAD}\r\n`);
      await arrived.opened;
      await Promise.all([listener.stop(), listener.stop()]);
      expect(await answer).toBe("");
    });

    it("leaves upgraded sockets to their owner and does not wait for them", async () => {
      const taken = gate<Duplex>();
      const listener = await start({
        onUpgrade: (_request, socket) => taken.open(socket),
        stopLimitMs: 60_000,
      });
      const client = await dial(listener);
      client.write(`${UPGRADE}Upgrade: websocket\r\n\r\n`);
      const socket = await taken.opened;
      await listener.stop();
      socket.write("still here");
      const [data] = (await once(client, "data")) as [Buffer];
      expect(data.toString()).toBe("still here");
    });

    it("before it was started, or after the start failed, is harmless", async () => {
      const blocker = createServer();
      await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
      const { port } = blocker.address() as AddressInfo;
      const listener = createHttpListener({ host: "127.0.0.1", port, listener: hello, log });
      await expect(listener.start()).rejects.toThrow(StartError);
      await listener.stop();
      blocker.close();
    });
  });
});
