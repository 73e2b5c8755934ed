import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import { createHttpListener, sendProblem, silentLog } from "@hearth/runtime";
import type { HttpListener } from "@hearth/runtime";
import { manualClock } from "@hearth/runtime/testing";
import { createHostGuard } from "./host-guard.ts";
import type { HostGuard } from "./host-guard.ts";
import { createOwnNames } from "./own-names.ts";

const clock = manualClock();
let addresses = ["127.0.0.1", "192.168.1.20", "fe80::1%eth0", "FD00::20"];
let lookups = 0;
let hostname = "Kitchen-PC.lan";
const ownNames = createOwnNames(
  {
    addresses: () => {
      lookups += 1;
      return addresses.map((address) => address.replace(/%.*/, ""));
    },
    hostname: () => hostname,
  },
  clock,
);

let exposeOnLan = false;
let ownPort: number | undefined;
let listener: HttpListener;
let guard: HostGuard;

beforeAll(async () => {
  guard = createHostGuard(() => ({ port: ownPort ?? listener.port, exposeOnLan }), ownNames);
  listener = createHttpListener({
    host: "127.0.0.1",
    port: 0,
    log: silentLog,
    listener: (request, response) => {
      guard(request, response, (error) => {
        if (error instanceof ProblemError) sendProblem(response, error, "id");
        else response.writeHead(error === undefined ? 299 : 500).end();
      });
    },
  });
  await listener.start();
});
afterAll(() => listener.stop());

/** Sends raw header lines; `{port}` becomes ours. */
async function ask(lines: readonly string[], requestLine = "GET /api/health HTTP/1.1"): Promise<string> {
  const socket = connect(listener.port, "127.0.0.1");
  const head = [requestLine, "Connection: close", ...lines]
    .join("\r\n")
    .replaceAll("{port}", String(listener.port));
  socket.write(`${head}\r\n\r\n`);
  return text(socket);
}

const statusOf = (answer: string): string => answer.slice("HTTP/1.1 ".length).slice(0, 3);
const codeOf = (answer: string): string | undefined => /"code":"([A-Z_]+)"/.exec(answer)?.[1];
const forHost = (host: string) => ask([`Host: ${host}`]);

async function at<Result>(
  change: { lan?: boolean; port?: number },
  work: () => Promise<Result>,
): Promise<Result> {
  exposeOnLan = change.lan ?? false;
  ownPort = change.port;
  try {
    return await work();
  } finally {
    exposeOnLan = false;
    ownPort = undefined;
  }
}

const LOOPBACK = [
  "127.0.0.1",
  "localhost",
  "LOCALHOST",
  "LocalHost",
  "127.0.0.2",
  "127.255.255.254",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
];
const FOREIGN = [
  "evil.test",
  "evil.test.",
  "localhost.",
  "localhost.evil.test",
  "evil.localhost",
  "127.0.0.1.",
  "127.0.0.1.evil.test",
  "127.1",
  "0x7f.1",
  "2130706433",
  "127.0.0.256",
  "127.0.0.01",
  "0.0.0.0",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::1",
  "::1",
  "[evil.test]",
  "localhost@evil.test",
  "evil.test@localhost",
  "localhost/evil.test",
  "loc%61lhost",
  "local host",
  "192.168.1.20",
  "[fd00::20]",
  "kitchen-pc",
  "kitchen-pc.local",
];

describe("host checks", () => {
  it.each(LOOPBACK)("LA4 L1 %s with our port is accepted", async (host) => {
    expect(statusOf(await forHost(`${host}:{port}`))).toBe("299");
  });

  it.each(FOREIGN)("LA4 L1 %s is 403 HOST_NOT_ALLOWED, with our port and without", async (host) => {
    for (const authority of [`${host}:{port}`, host]) {
      const answer = await forHost(authority);
      expect([statusOf(answer), codeOf(answer)]).toEqual(["403", "HOST_NOT_ALLOWED"]);
      expect(answer).toMatch(/content-type: application\/problem\+json/i);
      expect(answer).not.toMatch(/access-control/i);
    }
  });

  it.each([
    "127.0.0.1",
    "127.0.0.1:1",
    "localhost:",
    "localhost:80",
    "localhost:0{port}",
    "localhost:{port}0",
    "localhost: {port}",
    "localhost:{port}:{port}",
  ])("LA4 L10 another port is 403: %s", async (host) => {
    expect(codeOf(await forHost(host))).toBe("HOST_NOT_ALLOWED");
  });

  it("LA4 port 80 may be omitted", async () => {
    await at({ port: 80 }, async () => {
      expect(statusOf(await forHost("localhost"))).toBe("299");
      expect(statusOf(await forHost("localhost:80"))).toBe("299");
      expect(statusOf(await forHost("localhost:{port}"))).toBe("403");
    });
  });

  it.each([
    ["none", []],
    ["an empty one", ["Host:"]],
    ["one of blanks", ["Host:   "]],
    ["two", ["Host: localhost:{port}", "Host: localhost:{port}"]],
    ["two, one of them foreign", ["Host: localhost:{port}", "host: evil.test"]],
  ])("LA4 L2 %s is 400", async (_what, lines) => {
    const answer = await ask(lines);
    expect([statusOf(answer), codeOf(answer)]).toEqual(["400", "INVALID_REQUEST"]);
  });

  it("LA4 L2 two are refused by the guard itself, whatever server it runs in", async () => {
    const refused: unknown[] = [];
    const bare = createServer((request, response) => {
      guard(request, response, (error) => void refused.push(error));
      response.end();
    });
    await once(bare.listen(0, "127.0.0.1"), "listening");
    const lines = [
      "GET / HTTP/1.1",
      "Host: localhost:{port}",
      "Host: localhost:{port}",
      "Connection: close",
      "",
      "",
    ];
    const socket = connect((bare.address() as AddressInfo).port, "127.0.0.1");
    socket.write(lines.join("\r\n").replaceAll("{port}", String(listener.port)));
    await text(socket);
    bare.close();
    expect(refused).toMatchObject([{ code: "INVALID_REQUEST", message: "More than one Host header" }]);
  });

  it("LA4 L2 HTTP/1.0 is checked too", async () => {
    expect(statusOf(await ask([], "GET / HTTP/1.0"))).toBe("400");
    expect(statusOf(await ask(["Host: evil.test"], "GET / HTTP/1.0"))).toBe("403");
  });

  it("LA4 an absolute target with a host is 400", async () => {
    for (const target of ["http://evil.test/", "http://localhost:{port}/api/health", "evil"]) {
      expect(statusOf(await ask(["Host: localhost:{port}"], `GET ${target} HTTP/1.1`))).toBe("400");
    }
  });
});

describe("on the LAN", () => {
  it("LA4 the machine's addresses and its .local name are accepted, others are not", async () => {
    await at({ lan: true }, async () => {
      for (const host of [
        "192.168.1.20",
        "[fd00::20]",
        "[FD00:0::20]",
        "[fe80::1]",
        "kitchen-pc.local",
        "KITCHEN-PC.local",
        "localhost",
      ]) {
        expect(`${host} ${statusOf(await forHost(`${host}:{port}`))}`).toBe(`${host} 299`);
      }
      for (const host of [
        "192.168.1.21",
        "kitchen-pc",
        "kitchen-pc.lan",
        "kitchen-pc.local.",
        "other.local",
        "0.0.0.0",
        "evil.test",
      ]) {
        expect(`${host} ${codeOf(await forHost(`${host}:{port}`))}`).toBe(`${host} HOST_NOT_ALLOWED`);
      }
    });
  });

  it("LA4 a network change is noticed within a second, and the machine is not asked on every request", async () => {
    await at({ lan: true }, async () => {
      clock.advance(1_000);
      await forHost("192.168.1.20:{port}");
      const before = lookups;
      for (let count = 0; count < 5; count += 1) await forHost("192.168.1.20:{port}");
      expect(lookups).toBe(before);
      addresses = ["127.0.0.1", "10.0.0.9"];
      hostname = "moved.local";
      clock.advance(1_000);
      expect(statusOf(await forHost("10.0.0.9:{port}"))).toBe("299");
      expect(statusOf(await forHost("moved.local:{port}"))).toBe("299");
      expect(statusOf(await forHost("192.168.1.20:{port}"))).toBe("403");
    });
  });
});

describe("cross-origin requests", () => {
  const withOrigin = (origin: string, method = "GET") =>
    ask(["Host: localhost:{port}", `Origin: ${origin}`], `${method} /api/auth/login HTTP/1.1`);

  it.each([
    "https://evil.test",
    "http://evil.test",
    "http://evil.test:{port}",
    "https://localhost:{port}",
    "http://localhost",
    "http://localhost:1",
    "http://localhost:{port}/",
    "http://localhost:{port}, http://localhost:{port}",
    "null",
    "file://",
    "",
    "chrome-extension://abcdefgh",
  ])("LA4 L3 Origin %s is 403 without a CORS header", async (origin) => {
    const answer = await withOrigin(origin);
    expect([statusOf(answer), codeOf(answer)]).toEqual(["403", "FORBIDDEN"]);
    expect(answer).not.toMatch(/access-control/i);
  });

  it("LA4 L3 our own pages are accepted", async () => {
    expect(statusOf(await withOrigin("http://localhost:{port}", "POST"))).toBe("299");
    expect(statusOf(await withOrigin("http://127.0.0.1:{port}", "POST"))).toBe("299");
  });

  it("LA4 L3 one foreign Origin of two is refused", async () => {
    const lines = ["Host: localhost:{port}", "Origin: http://localhost:{port}", "Origin: http://evil.test"];
    expect(statusOf(await ask(lines))).toBe("403");
  });

  it("LA4 L4 a preflight with the private-network header is not granted", async () => {
    const lines = [
      "Host: localhost:{port}",
      "Origin: https://evil.test",
      "Access-Control-Request-Method: POST",
      "Access-Control-Request-Private-Network: true",
    ];
    const answer = await ask(lines, "OPTIONS /api/auth/login HTTP/1.1");
    expect(statusOf(answer)).toBe("403");
    expect(answer).not.toMatch(/access-control-allow/i);
  });
});
