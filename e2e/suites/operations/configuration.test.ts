import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { expectOk } from "../../src/client/index.ts";
import { serverForTests } from "../../src/server/for-tests.ts";
import { startFailing, startServer } from "../../src/server/process.ts";

describe("invalid settings", () => {
  const server = serverForTests();

  it.each(["PORT", "METRICS_PORT"])(
    "C8 a %s that is in use is named, and nothing stays behind",
    async (variable) => {
      const port = new URL(variable === "PORT" ? server.url : server.metricsUrl).port;
      const { code, output } = await startFailing({ env: { [variable]: port } });
      expect(code).toBe(1);
      expect(output).toMatch(new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is in use`));
      expect(output).not.toMatch(/EADDRINUSE|node:net|\.ts:\d/);
      await expectOk(server.url, "GET", "/api/health");
    },
  );

  it("C1 C5 C7 all invalid settings of all services are reported at once, without their values", async () => {
    const wrong = {
      PORT: "70000-s3cret",
      METRICS_PORT: "17878abc",
      HOST: "not a host s3cret",
      LOG_LEVEL: "loud-s3cret",
      SESSION_TOKEN_TTL_MS: "abc-s3cret",
      BCRYPT_COST: "99",
      FEATURED_SERVERS: "s3cret",
      CORS_ALLOWLIST: "s3cret.example",
      TRUST_PROXY: "s3cret",
      MAX_SOCKETS_PER_ADDRESS: "-1",
    };
    const { code, output } = await startFailing({ env: wrong });
    expect(code).toBe(1);
    for (const name of Object.keys(wrong)) expect(output).toContain(name);
    for (const value of ["s3cret", "17878abc", "loud"]) expect(output).not.toContain(value);
  });

  it.each([
    ["", "*", "65536"],
    ["0", "app.test", "-1"],
    ["1e30", "https://app.test/path", "0x10"],
    ["-5", "null", "8080 "],
  ])(
    "C2 C3 C4 C5 C7 a lifetime of %j, the origin %j and the port %j are each refused",
    async (ttl, origin, port) => {
      const env = { SESSION_TOKEN_TTL_MS: ttl, CORS_ALLOWLIST: origin, PORT: port };
      const { code, output } = await startFailing({ env });
      expect(code).toBe(1);
      for (const name of Object.keys(env)) expect(output).toContain(name);
    },
  );
});

describe("variables.json", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(joinPath(tmpdir(), "hearth-e2e-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const write = (text: string): Promise<void> => writeFile(joinPath(folder, "variables.json"), text);
  const allowed = async (url: string, origin: string): Promise<string | null> =>
    (await fetch(new URL("/api/health", url), { headers: { origin } })).headers.get(
      "access-control-allow-origin",
    );

  it("GW4 C6 sets the CORS allowlist, with or without a byte order mark; the environment overrides it; unknown keys cause a warning", async () => {
    await write('\uFEFF{"corsAllowlist": ["https://file.test"], "colour": "s3cret"}');
    const fromFile = await startServer({ dataDir: folder });
    expect(await allowed(fromFile.url, "https://file.test")).toBe("https://file.test");
    expect(await allowed(fromFile.url, "https://other.test")).toBeNull();
    expect(fromFile.output()).toContain("colour");
    expect(fromFile.output()).not.toContain("s3cret");
    await fromFile.stop();
    await write('{"corsAllowlist": "https://file.test, https://second.test"}');
    const both = await startServer({ dataDir: folder, env: { CORS_ALLOWLIST: "https://env.test" } });
    expect(await allowed(both.url, "https://env.test")).toBe("https://env.test");
    expect(await allowed(both.url, "https://file.test")).toBeNull();
    await both.stop();
  }, 30_000);

  it.each([
    ["bad JSON", '{"corsAllowlist": ["s3cret"'],
    ["a list", '["s3cret"]'],
    ["a wrong origin", '{"corsAllowlist": ["s3cret"]}'],
    ["a wrong type", '{"corsAllowlist": {"s3cret": true}}'],
  ])("C6 with %s it refuses to start, and says where without what", async (_title, text) => {
    await write(text);
    const { code, output } = await startFailing({ dataDir: folder });
    expect(code).toBe(1);
    expect(output).toMatch(/variables\.json|corsAllowlist/);
    expect(output).not.toContain("s3cret");
  });
});
