import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { LIMITS } from "@hearth/contracts";
import type { HttpListener, ServiceModule } from "@hearth/runtime";
import { carry } from "../testing/carry.ts";
import { gate } from "../testing/gate.ts";
import { dial, exchange, statusesOf, upgradeHead } from "../testing/raw-client.ts";
import type { Upstream } from "./upstream.ts";

/** A twin in front of a service, and how to take the service away. */
export interface UpstreamUnderTest {
  readonly upstream: Upstream;
  stopService(): Promise<void>;
  close(): Promise<void>;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;
type Take = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const describeRequest: Handle = (request, response) => {
  void readAll(request).then((body) => {
    const { method, url, headers } = request;
    response.setHeader("Content-Type", "application/json");
    response.end(
      JSON.stringify({ method, url, headers, length: body.length, body: body.toString("latin1", 0, 100) }),
    );
  });
};

export const ACCEPTED =
  "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Door: echo\r\n\r\n";

const echo: Take = (_request, socket, head) => {
  socket.on("error", () => socket.destroy());
  socket.write(ACCEPTED);
  socket.write(head);
  socket.pipe(socket);
};

/** More than the buffers of a few sockets hold. */
const FAR_TOO_MUCH = 64 * 1024 * 1024;

/** The suite that every twin of {@link Upstream} passes; `make` puts one in front of the service. */
export function upstreamContract(make: (service: ServiceModule) => Promise<UpstreamUnderTest>): void {
  let handle: Handle;
  let take: Take;
  let under: UpstreamUnderTest;
  let door: HttpListener;

  const url = (path: string): string => `http://127.0.0.1:${door.port}${path}`;

  beforeEach(async () => {
    handle = describeRequest;
    take = echo;
    let ready = true;
    under = await make({
      name: "discovery",
      routes: (request, response) => handle(request, response),
      upgrade: (request, socket, head) => take(request, socket, head),
      ready: () => ready,
      start: async () => undefined,
      stop: async () => void (ready = false),
    });
    door = await carry(under.upstream);
  });

  afterEach(async () => {
    await under.close();
    await door.stop();
  });

  describe("a request", () => {
    it("arrives with its method, path, headers and body", async () => {
      const headers = { "content-type": "application/json", "x-forwarded-for": "203.0.113.7" };
      const answer = await fetch(url("/api/x?y=%20z"), { method: "PUT", headers, body: '{"a":1}' });
      expect(await answer.json()).toMatchObject({
        method: "PUT",
        url: "/api/x?y=%20z",
        body: '{"a":1}',
        headers,
      });
    });

    it("arrives complete when it comes in chunks, up to the limit", async () => {
      const client = await dial(door.port);
      client.send("POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n");
      const quarter = LIMITS.httpBodyBytes / 4;
      for (let part = 0; part < 4; part += 1)
        client.send(`${quarter.toString(16)}\r\n${"x".repeat(quarter)}\r\n`);
      client.send("0\r\n\r\n");
      expect(await client.untilEnd()).toContain(`"length":${LIMITS.httpBodyBytes}`);
    });

    it("may have no body", async () => {
      for (const method of ["GET", "DELETE", "POST"]) {
        expect(await (await fetch(url("/x"), { method })).json()).toMatchObject({ method, length: 0 });
      }
    });

    it("is aborted when its client leaves", async () => {
      const [arrived, gone] = [gate(), gate()];
      handle = (_request, response) => {
        arrived.open();
        response.once("close", () => gone.open());
      };
      const client = await dial(door.port);
      client.send("GET /x HTTP/1.1\r\nHost: x\r\n\r\n");
      await arrived.opened;
      client.close();
      await gone.opened;
    });

    it("whose client leaves while it sends does no harm", async () => {
      const client = await dial(door.port);
      client.send("POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf");
      client.close();
      expect((await fetch(url("/x"))).status).toBe(200);
    });
  });

  describe("an answer", () => {
    it("keeps its status, headers and body, without headers of the service's connection", async () => {
      handle = (_request, response) => {
        response.writeHead(201, {
          ETag: '"e"',
          "Content-Type": "text/plain",
          "Keep-Alive": "timeout=7",
          "X-A": ["1", "2"],
        });
        response.end("made");
      };
      const answer = await fetch(url("/x"), { method: "POST" });
      expect([answer.status, await answer.text()]).toEqual([201, "made"]);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        etag: '"e"',
        "content-type": "text/plain",
        "x-a": "1, 2",
      });
    });

    it.each([204, 304])("of %i has no body", async (status) => {
      handle = (_request, response) => void response.writeHead(status).end();
      const received = await exchange(door.port, "GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      expect(statusesOf(received)).toEqual([status]);
      expect(received.endsWith("\r\n\r\n")).toBe(true);
    });

    it("to HEAD has a length and no body", async () => {
      handle = (_request, response) => void response.writeHead(200, { "Content-Length": 5 }).end();
      const received = await exchange(door.port, "HEAD /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      expect(received).toMatch(/content-length: 5\r\n/i);
      expect(received.endsWith("\r\n\r\n")).toBe(true);
    });

    it("is streamed", async () => {
      const finish = gate();
      handle = (_request, response) => {
        response.write("first");
        void finish.opened.then(() => response.end("last"));
      };
      const client = await dial(door.port);
      client.send("GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      await client.until("first");
      finish.open();
      await client.until("last");
    });

    it("waits for a client that does not read, and arrives complete", async () => {
      const part = Buffer.alloc(64 * 1024, "x");
      const stalled = gate();
      let sent = 0;
      handle = (_request, response) => {
        // Nothing tells that no room will come, so a quarter of a second without any has to.
        const stall = setTimeout(() => stalled.open(), 250);
        const more = (): void => {
          stall.refresh();
          sent += part.length;
          if (sent >= FAR_TOO_MUCH) stalled.open();
          else if (response.write(part)) setImmediate(more);
          else response.once("drain", more);
        };
        more();
        void stalled.opened.then(() => {
          clearTimeout(stall);
          response.off("drain", more).end("end");
        });
      };
      const client = await dial(door.port);
      client.socket.pause();
      client.send("GET /x HTTP/1.0\r\nHost: x\r\n\r\n");
      await stalled.opened;
      expect(sent).toBeLessThan(FAR_TOO_MUCH);
      client.socket.resume();
      const received = await client.untilEnd();
      expect(received.length - received.indexOf("\r\n\r\n") - 4).toBe(sent + 3);
    });

    it("that breaks off does not look complete", async () => {
      handle = (_request, response) => {
        response.writeHead(200, { "Content-Length": 100 });
        response.write("half", () => response.destroy());
      };
      await expect(fetch(url("/x")).then((answer) => answer.text())).rejects.toThrow();
    });
  });

  describe("a service that is down", () => {
    it("GW5 is 502 or 503 in the shape of ER1 within 5 s", async () => {
      await under.stopService();
      const since = performance.now();
      const answer = await fetch(url("/x"));
      expect([502, 503]).toContain(answer.status);
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
      expect(await answer.json()).toMatchObject({
        status: answer.status,
        requestId: expect.any(String) as unknown,
      });
      expect(performance.now() - since).toBeLessThan(5_000);
    });

    it("GW5 refuses an upgrade in the same way and ends the connection", async () => {
      await under.stopService();
      const received = await exchange(door.port, upgradeHead("/ws"));
      expect([502, 503]).toContain(statusesOf(received)[0]);
      expect(received).toContain("application/problem+json");
    });
  });

  describe("an upgrade", () => {
    it("passes every byte in both directions, including those that came with the handshake", async () => {
      const client = await dial(door.port);
      client.send(`${upgradeHead("/ws")}early`);
      expect(await client.until("early")).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n[^]*X-Door: echo/i);
      client.send("later");
      await client.until("earlylater");
      client.close();
    });

    it("arrives with its path and headers", async () => {
      let seen: IncomingMessage | undefined;
      take = (request, socket, head) => {
        seen = request;
        echo(request, socket, head);
      };
      const client = await dial(door.port);
      client.send(upgradeHead("/socket.io/?EIO=4&transport=websocket", ["X-Request-Id: id"]));
      await client.until("101");
      expect(seen?.url).toBe("/socket.io/?EIO=4&transport=websocket");
      expect(seen?.headers).toMatchObject({
        upgrade: "websocket",
        "x-request-id": "id",
        "sec-websocket-version": "13",
      });
      client.close();
    });

    it("that the service refuses is answered with its refusal", async () => {
      take = (_request, socket) =>
        void socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno");
      const received = await exchange(door.port, upgradeHead("/ws"));
      expect(statusesOf(received)).toEqual([403]);
      expect(received.endsWith("no")).toBe(true);
    });

    it.each(["end", "destroy"] as const)("ends at the service when the client does (%s)", async (way) => {
      const ended = gate();
      take = (request, socket, head) => {
        echo(request, socket, head);
        socket.once("close", () => ended.open());
      };
      const client = await dial(door.port);
      client.send(upgradeHead("/ws"));
      await client.until("101");
      client.socket[way]();
      await ended.opened;
    });

    it.each(["end", "destroy"] as const)("ends at the client when the service does (%s)", async (way) => {
      let service: Duplex | undefined;
      take = (request, socket, head) => {
        echo(request, socket, head);
        service = socket;
      };
      const client = await dial(door.port);
      client.send(upgradeHead("/ws"));
      await client.until("101");
      const closed = once(client.socket, "close");
      service?.[way]();
      await closed;
    });
  });
}
