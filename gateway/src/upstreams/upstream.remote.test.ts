import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { afterEach, describe, expect, it } from "@jest/globals";
import { LIMITS } from "@hearth/contracts";
import { createHttpListener, silentLog } from "@hearth/runtime";
import type { HttpListener } from "@hearth/runtime";
import { dial, exchange, statusesOf, upgradeHead } from "../testing/raw-client.ts";
import { carry } from "../testing/carry.ts";
import { ACCEPTED, upstreamContract } from "./upstream.contract.ts";
import { createRemoteUpstream } from "./upstream.remote.ts";
import type { Upstream } from "./upstream.ts";

describe("a service in another process", () => {
  upstreamContract(async (service) => {
    const listener = createHttpListener({
      host: "127.0.0.1",
      port: 0,
      log: silentLog,
      listener: (request, response) => service.routes?.(request, response),
      onUpgrade: (request, socket, head) => service.upgrade?.(request, socket, head),
      stopLimitMs: 100,
    });
    await listener.start();
    const urls = [`http://127.0.0.1:${listener.port}`];
    const upstream = createRemoteUpstream({ name: service.name, urls, log: silentLog, deadlineMs: 1_000 });
    return {
      upstream,
      stopService: () => listener.stop(),
      async close() {
        await listener.stop();
        await upstream.close();
      },
    };
  });
});

describe("a misbehaving service", () => {
  let server: Server;
  let upstream: Upstream;
  let door: HttpListener;
  const sockets = new Set<Socket>();
  const upgrading = new Set<Duplex>();

  async function serve(
    onConnection: (socket: Socket, index: number) => void,
    deadlineMs = 10_000,
  ): Promise<void> {
    let count = 0;
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
      onConnection(socket, (count += 1));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    upstream = createRemoteUpstream({
      name: "auth",
      urls: [`http://127.0.0.1:${port}`],
      log: silentLog,
      deadlineMs,
    });
    door = await carry({
      ...upstream,
      upgrade(request, socket, head) {
        upgrading.add(socket);
        upstream.upgrade(request, socket, head);
      },
    });
  }

  afterEach(async () => {
    for (const socket of [...sockets, ...upgrading]) socket.destroy();
    upgrading.clear();
    await new Promise((resolve) => server.close(resolve));
    await door.stop();
    await upstream.close();
  });

  const allClosed = async (): Promise<void> => {
    for (const socket of sockets) if (!socket.closed) await once(socket, "close");
  };

  const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  const ask = (init?: RequestInit): Promise<Response> => fetch(`http://127.0.0.1:${door.port}/x`, init);

  it("GW5 that never answers is 504, and its connection is closed", async () => {
    await serve((socket) => void socket.resume(), 150);
    expect((await ask()).status).toBe(504);
    expect((await ask({ method: "POST", body: "x" })).status).toBe(504);
    await allClosed();
  });

  it("GW5 that never answers an upgrade is 504", async () => {
    await serve((socket) => void socket.resume(), 150);
    const received = await exchange(door.port, upgradeHead("/ws"));
    expect(statusesOf(received)).toEqual([504]);
    expect(received).toContain('"code":"TIMEOUT"');
  });

  it("GW5 that never answers an upgrade is disconnected when the client closes its socket", async () => {
    await serve((socket) => void socket.resume(), 60_000);
    const asked = once(server, "connection");
    const client = await dial(door.port);
    client.send(upgradeHead("/ws"));
    await asked;
    for (const socket of upgrading) socket.destroy();
    await allClosed();
  });

  it("is disconnected from open upgrades, on both sides, when the gateway ends", async () => {
    await serve((socket) => socket.once("data", () => socket.write(ACCEPTED)));
    const client = await dial(door.port);
    client.send(upgradeHead("/ws"));
    await client.until("101");
    await upstream.close();
    await client.untilEnd();
    await allClosed();
  });

  it("that does not speak HTTP is 502", async () => {
    await serve((socket) => socket.on("data", () => socket.end("SSH-2.0-nonsense\r\n")));
    expect((await ask()).status).toBe(502);
    expect(statusesOf(await exchange(door.port, upgradeHead("/ws")))).toEqual([502]);
  });

  it("that closes a kept connection gets a GET a second time", async () => {
    await serve((socket, index) => {
      let requests = 0;
      socket.on("data", () => {
        requests += 1;
        if (index > 1 || requests === 1) socket.write(answer);
        else socket.destroy();
      });
    });
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(200);
  });

  it("that closes a kept connection does not get a POST a second time", async () => {
    let requests = 0;
    await serve((socket) =>
      socket.on("data", () => {
        requests += 1;
        if (requests === 1) socket.write(answer);
        else socket.destroy();
      }),
    );
    expect((await ask()).status).toBe(200);
    expect((await ask({ method: "POST" })).status).toBe(502);
    expect(requests).toBe(2);
  });

  it("that answers before it has read everything is heard", async () => {
    await serve((socket) =>
      socket.once("data", () => socket.write("HTTP/1.1 413 Payload Too Large\r\nContent-Length: 0\r\n\r\n")),
    );
    expect((await ask({ method: "POST", body: "x".repeat(200_000) })).status).toBe(413);
  });

  it("GW7 never sees a body past the limit, whatever length was announced", async () => {
    let seen = 0;
    await serve((socket) => socket.on("data", ({ length }) => void (seen += length)));
    const client = await dial(door.port);
    client.send("POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    const size = LIMITS.httpBodyBytes + 1;
    client.send(`${size.toString(16)}\r\n${"x".repeat(size)}\r\n`);
    expect(await client.until('"code":"PAYLOAD_TOO_LARGE"')).toMatch(/^HTTP\/1\.1 413 /);
    client.close();
    expect(seen).toBe(0);
  });
});
