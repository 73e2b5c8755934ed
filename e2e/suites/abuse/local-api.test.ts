import { readdirSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, constants } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { until } from "@hearth/runtime/testing/until";
import { requestText, sendRaw } from "../../src/client/index.ts";
import { openWithoutReading } from "../../src/client/hostile-http.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { type RunningLocalApi, startLocalApi } from "../../src/local-api/process.ts";

const MEGABYTE = 1024 * 1024;
const RELEASE_MS = 30_000;
const isLinux = process.platform === "linux";

const bomb = brotliCompressSync(Buffer.alloc(16 * MEGABYTE, " "), {
  params: { [constants.BROTLI_PARAM_LGWIN]: 24 },
});

describe("attacks on the local API", () => {
  let local: RunningLocalApi;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    local = await startLocalApi({ args: ["--docs"] });
  }, 120_000);
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(async () => {
    await local.stop();
    await local.cleanUp();
  });

  const request = (target: string, headers: readonly string[] = []) =>
    requestText(local.url, "GET", target, headers);
  const descriptors = (): number => readdirSync(`/proc/${local.process.pid}/fd`).length;
  let idle = 0;
  beforeAll(() => {
    if (isLinux) idle = descriptors();
  });
  /** Connections of the previous test may still be closing. */
  const untilReleased = () => until(async () => descriptors() <= idle + 10, RELEASE_MS);
  const memory = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${local.process.pid}/status`, "utf8"))?.[1]) * 1024;

  it.each(["br", "gzip", "deflate", "identity, br"])(
    "AB1 LA4 %s is 415 before anything else",
    async (name) => {
      for (const target of ["/api/auth/login", "/api/nothing", "/"])
        expectProblem(await sendRaw(local.url, encoded(target, name)), "UNSUPPORTED_MEDIA_TYPE");
    },
  );

  const encoded = (target: string, encoding: string): Buffer => {
    const headers = ["Content-Type: application/json", `Content-Encoding: ${encoding}`];
    const head = requestText(local.url, "POST", target, [...headers, `Content-Length: ${bomb.length}`]);
    return Buffer.concat([Buffer.from(head), bomb]);
  };

  (isLinux ? it : it.skip)(
    "AB1 LA4 encoded bodies leave memory as it was",
    async () => {
      const login = encoded("/api/auth/login", "br");
      for (let count = 0; count < 50; count++) await sendRaw(local.url, login);
      const before = memory();
      for (let round = 0; round < 10; round++)
        await Promise.all(Array.from({ length: 40 }, () => sendRaw(local.url, login)));
      // Decoded, each round of forty would take 640 MB.
      expect(memory() - before).toBeLessThan(150 * MEGABYTE);
    },
    60_000,
  );

  (isLinux ? it : it.skip)(
    "AB2 LA4 a hundred pipelined requests hold no file, and nothing when the connection is gone",
    async () => {
      await untilReleased();
      const requests = request("/docs/assets/swagger-ui-bundle.js").repeat(100);
      sockets.push(
        ...(await Promise.all(Array.from({ length: 20 }, () => openWithoutReading(local.url, requests)))),
      );
      await sleep(500);
      // The connections themselves, and almost nothing else.
      expect(descriptors()).toBeGreaterThanOrEqual(idle + 15);
      expect(descriptors()).toBeLessThanOrEqual(idle + 20 + 15);
      expect((await sendRaw(local.url, request("/api/health"))).status).toBe(200);
      for (const socket of sockets.splice(0)) socket.destroy();
      await untilReleased();
    },
    60_000,
  );

  it("AB2 LA4 all pipelined requests are answered in order", async () => {
    const targets = Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? "/api/health" : "/nothing"));
    const heads = targets.map((target) => requestText(local.url, "HEAD", target));
    const last = request("/api/nothing", ["Connection: close"]);
    const answer = await sendRaw(local.url, heads.join("") + last, { untilClosed: true });
    expect(answer.statuses.slice(0, -1)).toEqual(
      targets.map((target) => (target === "/api/health" ? 200 : 404)),
    );
    expect(answer.statuses).toHaveLength(61);
  });

  /** Waits until the lines of earlier requests are written. */
  const outputLength = async (): Promise<number> => {
    for (let before = -1; before !== local.output().length; ) {
      before = local.output().length;
      await sleep(300);
    }
    return local.output().length;
  };

  it.each([
    ["what is not HTTP", "\x16\x03\x01\x02\x00\r\n\r\n"],
    ["two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
    ["a path that cannot be decoded", "PATH"],
  ])("ER1 LA4 %s is logged in one line without a stack", async (_title, text) => {
    const from = await outputLength();
    const answer = await sendRaw(local.url, text === "PATH" ? request("/docs/assets/%E0%A4%A") : text);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    await sleep(100);
    const lines = local.output().slice(from).split("\n").filter(Boolean);
    expect(lines.length).toBeLessThanOrEqual(1);
    expect(lines.join("")).not.toMatch(/stack|node:/);
  });
});
