import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { call, requestText, sendRaw } from "../../src/client/index.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import {
  newDataDir,
  type RunningLocalApi,
  startLocalApi,
  startFailingLocalApi,
} from "../../src/local-api/process.ts";
import { runCommand } from "../../src/server/command.ts";

const HEALTH = "/api/health";

describe("access to the local API", () => {
  let local: RunningLocalApi;
  beforeAll(async () => {
    local = await startLocalApi();
  }, 60_000);
  afterAll(async () => {
    await local.stop();
    await local.cleanUp();
  });

  const withHost = (...lines: string[]) => sendRaw(local.url, requestText(local.url, "GET", HEALTH, lines));

  it("LA1 health and the OpenAPI document are public, on 127.0.0.1 only", async () => {
    const health = await call(local.url, "GET", HEALTH);
    expect(health).toMatchObject({ status: 200, body: { status: "ok", exposeOnLan: false } });
    expect(health.body).toMatchObject({ version: expect.any(String), timestamp: expect.any(Number) });
    const { body } = await call<{ openapi: string }>(local.url, "GET", "/api/openapi.json");
    expect(body.openapi).toMatch(/^3\.1\./);
    expect(new URL(local.url).hostname).toBe("127.0.0.1");
    expect(local.output()).not.toContain("Warning");
  });

  it.each(["localhost", "127.0.0.1", "[::1]", "LOCALHOST"])("LA4 L1 %s with our port is us", async (name) => {
    const { port } = new URL(local.url);
    expect(await withHost(`Host: ${name}:${port}`)).toMatchObject({ status: 200 });
  });

  it.each(["evil.test", "localhost", "127.0.0.1:1", "localhost.evil.test", "127.0.0.1.nip.io"])(
    "LA4 L1 %s is nobody",
    async (name) => {
      expectProblem(await withHost(`Host: ${name}`), "HOST_NOT_ALLOWED");
    },
  );

  it("LA4 L2 a request must name exactly one host", async () => {
    const { host } = new URL(local.url);
    const none = await sendRaw(local.url, `GET ${HEALTH} HTTP/1.1\r\nConnection: close\r\n\r\n`);
    expect(none.status).toBe(400);
    expect((await withHost(`Host: ${host}`, "Host: evil.test")).status).toBe(400);
  });

  it("LA4 L3 L4 no origin is allowed, and no preflight succeeds", async () => {
    const headers = {
      origin: "https://evil.test",
      "access-control-request-method": "GET",
      "access-control-request-private-network": "true",
    };
    for (const method of ["GET", "OPTIONS"]) {
      const answer = await call(local.url, method, HEALTH, { headers });
      const granted = [...answer.headers.keys()].filter((name) => name.startsWith("access-control-"));
      expect(granted).toEqual([]);
    }
    expect((await call(local.url, "OPTIONS", HEALTH, { headers })).status).toBeGreaterThanOrEqual(400);
  });

  it("LA4 L5 only JSON bodies are accepted", async () => {
    const text = { raw: '{"username":"a"}', headers: { "content-type": "text/plain" } };
    expectProblem(await call(local.url, "POST", "/api/auth/login", text), "UNSUPPORTED_MEDIA_TYPE");
  });

  it.each(["/docs", "/docs/", "/static-docs", "/static-docs/", "/static-docs/index.html"])(
    "LA3 L21 %s is not there while it is off",
    async (path) => {
      expectProblem(await call(local.url, "GET", path), "NOT_FOUND");
    },
  );
});

describe("command-line options", () => {
  it("LA3 both document sites are served and name no other host", async () => {
    const local = await startLocalApi({ args: ["--docs", "--static-docs"] });
    try {
      for (const path of ["/docs", "/static-docs"]) {
        const answer = await call<string>(local.url, "GET", path);
        expect({ path, status: answer.status }).toEqual({ path, status: 200 });
        expect(answer.headers.get("content-security-policy")).toMatch(/default-src '(none|self)'/);
        const sources = [...answer.body.matchAll(/<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"/g)];
        expect(sources.length).toBeGreaterThan(0);
        for (const [, source = ""] of sources) {
          const { host } = new URL(source, new URL(path, local.url));
          expect(host).toBe(new URL(local.url).host);
        }
      }
      const outside = "/static-docs/%2e%2e/package.json";
      const raw = await sendRaw(local.url, requestText(local.url, "GET", outside));
      expect(raw.status).toBe(404);
    } finally {
      await local.stop();
      await local.cleanUp();
    }
  }, 120_000);

  it("LA4 --lan prints a warning and allows the machine's host names", async () => {
    const local = await startLocalApi({ args: ["--lan"] });
    try {
      expect(local.output()).toMatch(/Warning: every computer on your network/);
      expect(await call(local.url, "GET", HEALTH)).toMatchObject({ body: { exposeOnLan: true } });
      const foreign = requestText(local.url, "GET", HEALTH, ["Host: evil.test"]);
      expectProblem(await sendRaw(local.url, foreign), "HOST_NOT_ALLOWED");
    } finally {
      await local.stop();
      await local.cleanUp();
    }
  }, 60_000);

  it("LA8 options override the settings file for this run without changing it", async () => {
    const dataDir = await newDataDir();
    const file = join(dataDir, "local-api.json");
    const stored = { enabled: false, exposeOnLan: true, allowedSignalingServers: ["https://stored.example"] };
    const text = JSON.stringify(stored);
    writeFileSync(file, text);
    const local = await startLocalApi({ dataDir, args: ["--no-lan"] });
    expect(local.output()).toContain("https://stored.example");
    expect(await call(local.url, "GET", HEALTH)).toMatchObject({ body: { exposeOnLan: false } });
    await local.stop();
    expect(readdirSync(dataDir)).toContain("local-api.json");
    const other = await startLocalApi({ dataDir, args: ["--no-lan", "--allow", "https://other.example/"] });
    expect(other.output()).toMatch(/confirmed by https:\/\/other\.example\n/);
    await other.stop();
    writeFileSync(file, '{"port": "17878"}');
    const refused = await startFailingLocalApi({ dataDir });
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(/local-api\.json .*port/);
    await other.cleanUp();
  }, 60_000);
});

describe("start and stop", () => {
  it("LA8 a port in use causes one sentence and exit code 1, and no other port is used", async () => {
    const other = createServer();
    other.listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { code, output } = await startFailingLocalApi({ port, env: { LOG_LEVEL: "silent" } });
    expect(code).toBe(1);
    const said = output.split("\n").filter((line) => line !== "" && !line.startsWith("Building"));
    expect(said).toEqual([
      `Port ${port} on 127.0.0.1 is in use by another program; choose another port with --port N`,
    ]);
    other.close();
  }, 60_000);

  it("C7 all wrong options are reported at once, with exit code 2", async () => {
    const args = ["--port", "x", "--allow", "nowhere", "--host", "0.0.0.0"];
    const { code, output } = await startFailingLocalApi({ args });
    expect(code).toBe(2);
    for (const said of ["--port x", "--allow nowhere", "--host", "--help"]) expect(output).toContain(said);
    expect(output).not.toMatch(/\bat .+:\d+:\d+/);
  }, 60_000);

  it("LA1 the sample is written to an empty folder only", async () => {
    const dataDir = await newDataDir();
    writeFileSync(join(dataDir, "notes.txt"), "mine");
    const { code, output } = await startFailingLocalApi({ args: ["--sample"], dataDir });
    expect(code).toBe(1);
    expect(output).toContain(`${dataDir} already contains data`);
    expect(readdirSync(dataDir)).toEqual(["notes.txt"]);
  }, 60_000);

  it("LA1 a device's own data is never mistaken for the sample", async () => {
    const dataDir = await newDataDir();
    mkdirSync(join(dataDir, "files"));
    writeFileSync(join(dataDir, "device.sqlite"), "");
    const { code } = await startFailingLocalApi({ args: ["--sample"], dataDir });
    expect(code).toBe(1);
  }, 60_000);

  it.each(["SIGTERM", "SIGINT"] as const)(
    "LA6 %s ends it with code 0, and a request that has only begun does not hold it",
    async (signal) => {
      const local = await startLocalApi();
      const { hostname, port, host } = new URL(local.url);
      const socket = connect(Number(port), hostname);
      await once(socket, "connect");
      const closed = once(socket, "close");
      socket.on("error", () => undefined);
      socket.write(`POST /api/auth/login HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n`);
      socket.write("Content-Type: application/json\r\n\r\n{");
      await call(local.url, "GET", HEALTH);
      const started = Date.now();
      expect(await local.stop(signal)).toBe(0);
      await closed;
      expect(Date.now() - started).toBeLessThan(5_000);
      await expect(fetch(`${local.url}${HEALTH}`)).rejects.toThrow();
      await local.cleanUp();
    },
    60_000,
  );

  it("C7 two processes can build and run at once", async () => {
    const both = await Promise.all([startLocalApi(), startLocalApi()]);
    for (const local of both) expect(await call(local.url, "GET", HEALTH)).toMatchObject({ status: 200 });
    for (const local of both) expect(await local.stop()).toBe(0);
    for (const local of both) await local.cleanUp();
  }, 60_000);

  it("LA3 the build runs from a folder of its own, without the repository", async () => {
    const built = await startLocalApi({ args: ["--docs"] });
    await built.stop();
    const away = await newDataDir();
    for (const name of ["headless.mjs", "reference"])
      cpSync(join("desktop", "dist", name), join(away, name), { recursive: true });
    const program = join(away, "headless.mjs");
    const local = await startLocalApi({ program, args: ["--docs"], dataDir: built.dataDir });
    try {
      expect(await call(local.url, "GET", "/docs")).toMatchObject({ status: 200 });
      expect(await call(local.url, "GET", "/docs/assets/swagger-ui.css")).toMatchObject({ status: 200 });
      expect(await call(local.url, "GET", "/api/openapi.json")).toMatchObject({ status: 200 });
    } finally {
      await local.stop();
      await local.cleanUp();
      rmSync(away, { recursive: true });
    }
  }, 60_000);

  it("C7 --help lists the options", async () => {
    const help = runCommand("desktop/tools/build/headless.ts", ["--help"]);
    expect([await help.ended, help.stdout()]).toEqual([0, expect.stringContaining("--data-dir DIR")]);
  }, 60_000);

  const withoutElectron = existsSync("node_modules/electron/path.txt") ? it.skip : it;
  withoutElectron(
    "C7 the window says what to do where Electron's program is not there",
    async () => {
      const window = runCommand("desktop/tools/build/window.ts");
      expect(await window.ended).toBe(1);
      for (const way of ["npx install-electron", "npm run desktop:headless", "npm start"])
        expect(window.stderr()).toContain(way);
      expect(window.stderr()).not.toMatch(/\bat .+:\d+:\d+/);
    },
    60_000,
  );
});
