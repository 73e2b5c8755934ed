import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import type { Credential } from "@hearth/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  call,
  createServer,
  type Device,
  dialPlain,
  dialSocketIo,
  expectOk,
  join,
  login,
  openDevice,
  PASSWORD,
  register,
  settled,
} from "../src/client/index.ts";
import { Burst, expectKept, Ledger, writes } from "../src/expectations/burst.ts";
import { expectProblem } from "../src/expectations/problem.ts";
import { type RunningServer, startInVain, startServer } from "../src/server/process.ts";

describe("what was acknowledged is there after the end", () => {
  const env = { TRUST_PROXY: "1", LOG_LEVEL: "error" };
  const ledger = new Ledger();
  let server: RunningServer;
  let owner: Credential;

  beforeAll(async () => {
    server = await startServer({ env });
    owner = await register(server.url, "owner");
  }, 30_000);
  afterAll(async () => {
    await server.stop();
    await server.cleanUp();
  });

  it.each(["SIGKILL", "SIGTERM", "SIGKILL"] as const)(
    "ER6 I1 F17 %s in the midst of a burst of writes loses none of them",
    async (signal) => {
      const burst = new Burst(server.url, ledger).run(owner);
      await writes(ledger, 100);
      const since = Date.now();
      const ended = await server.stop(signal);
      expect(ended).toBe(signal === "SIGKILL" ? "SIGKILL" : 0);
      expect(Date.now() - since).toBeLessThan(5_000);
      await burst;
      server = await startServer({ env, dataDir: server.dataDir });
      await expectKept(server.url, ledger);
      expect(await expectOk(server.url, "GET", "/api/health")).toMatchObject({ status: "ok" });
      await login(server.url, "owner");
    },
    40_000,
  );
});

describe("Ctrl-C with 200 open sockets", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer();
  }, 30_000);
  afterAll(async () => {
    await server.stop();
    await server.cleanUp();
  });

  it("WS15 tells each when to come back, closes it with 4001 and ends with 0 within 5 s; what was acknowledged had arrived", async () => {
    const [ada, ben, eve] = await Promise.all([
      register(server.url),
      register(server.url),
      register(server.url),
    ]);
    const room = await createServer(server.url, ada, { name: "The hall" });
    const sender = await openDevice(dialPlain, server.url, ada);
    const receiver = await openDevice(dialSocketIo, server.url, ben);
    await join(sender, room.id);
    await join(receiver, room.id);
    const crowd: Device[] = [];
    for (let opened = 0; opened < 198; opened += 1) {
      const dial = opened % 2 === 0 ? dialPlain : dialSocketIo;
      crowd.push(await openDevice(dial, server.url, [ada, ben, eve][opened % 3] ?? eve));
    }
    const chat = (id: string) => ({
      type: "chat_message",
      serverId: room.id,
      message: { id, content: "still here?" },
    });
    const acknowledged: Promise<string>[] = [];
    const say = (): void => {
      const id = `m${acknowledged.length}`;
      acknowledged.push(sender.ask(chat(id)).then(({ type }) => (type === "ack" ? id : "")));
    };
    for (let said = 0; said < 50; said += 1) say();
    const since = Date.now();
    const ended = server.stop("SIGINT");
    for (let said = 0; said < 50; said += 1) say();
    expect(await ended).toBe(0);
    expect(Date.now() - since).toBeLessThan(5_000);
    const all = [sender, receiver, ...crowd];
    const delays = new Set<unknown>();
    for (const device of all) {
      expect([4001, 0]).toContain((await device.closed).code);
      const [draining] = device.inbox.all.filter(({ type }) => type === "server_draining");
      const last = device.inbox.all.at(-1);
      expect(last).toMatchObject({ type: "closing", closeCode: 4001, reason: "restarting", reconnect: true });
      expect(draining?.["retryInMs"]).toBe(last?.["retryInMs"]);
      delays.add(draining?.["retryInMs"]);
    }
    expect(delays.size).toBeGreaterThan(100);
    const heard = receiver.inbox.all
      .filter(({ type }) => type === "chat_message")
      .map(({ message }) => (message as { id: string }).id);
    const answers = await Promise.allSettled(acknowledged);
    const acked = answers.flatMap((answer) => (answer.status === "fulfilled" && answer.value) || []);
    expect(acked.length).toBeGreaterThanOrEqual(1);
    expect(acked.filter((id) => !heard.includes(id))).toEqual([]);
    expect(heard).toEqual(heard.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1))));
    await expect(dialPlain(server.url)).rejects.toThrow();
  }, 30_000);
});

describe("what cannot be", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer();
  }, 30_000);
  afterAll(async () => {
    await server.stop();
    await server.cleanUp();
  });

  it.each(["PORT", "METRICS_PORT"])(
    "C8 a %s that is in use is named, and nothing stays behind",
    async (variable) => {
      const port = new URL(variable === "PORT" ? server.url : server.metricsUrl).port;
      const { code, output } = await startInVain({ env: { [variable]: port } });
      expect(code).toBe(1);
      expect(output).toMatch(new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is in use`));
      expect(output).not.toMatch(/EADDRINUSE|node:net|\.ts:\d/);
      await expectOk(server.url, "GET", "/api/health");
    },
  );

  it("C1 C5 C7 all that is wrong is named at once, in every service, and no value is repeated", async () => {
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
    const { code, output } = await startInVain({ env: wrong });
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
      const { code, output } = await startInVain({ env });
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

  it("GW4 C6 its corsAllowlist counts, also with a byte order mark; the environment wins; strange keys are warned of", async () => {
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
    const { code, output } = await startInVain({ dataDir: folder });
    expect(code).toBe(1);
    expect(output).toMatch(/variables\.json|corsAllowlist/);
    expect(output).not.toContain("s3cret");
  });
});

/** Limits of a running process can be changed on Linux only. */
const onLinux = existsSync("/usr/bin/prlimit") ? it : it.skip;
const limit = ({ process: child }: RunningServer, option: string): void => {
  execFileSync("/usr/bin/prlimit", ["--pid", String(child.pid), option]);
};

describe("when the machine has no more to give", () => {
  let server: RunningServer;
  let ada: Credential;
  beforeAll(async () => {
    server = await startServer();
    ada = await register(server.url, "ada");
  }, 30_000);
  afterAll(async () => {
    await server.stop();
    await server.cleanUp();
  });

  onLinux(
    "ER6 F16 on a full disk writes are 503 and reads go on; with room again all is well",
    async () => {
      const kept = await createServer(server.url, ada, { name: "Before" });
      const smallest = Math.min(
        ...["auth.db-wal", "discovery.db-wal"].map((file) => statSync(joinPath(server.dataDir, file)).size),
      );
      limit(server, `--fsize=${Math.min(8_192, smallest)}:`);
      const create = () =>
        call(server.url, "POST", "/api/servers", { token: ada.token, body: { name: "Too much" } });
      for (let tries = 0; tries < 3; tries += 1) expectProblem(await create(), "UNAVAILABLE");
      const registering = await call(server.url, "POST", "/api/users/register", {
        body: { username: "late", password: PASSWORD },
      });
      expectProblem(registering, "UNAVAILABLE");
      expect(await expectOk(server.url, "GET", `/api/servers/${kept.id}`)).toMatchObject({ name: "Before" });
      await expectOk(server.url, "GET", "/api/users/me", { token: ada.token });
      const device = await openDevice(dialPlain, server.url, ada);
      await join(device, kept.id);
      await device.close();
      limit(server, "--fsize=unlimited:");
      expect((await create()).status).toBe(201);
      await register(server.url, "late");
      expect(server.process.exitCode).toBeNull();
      await server.stop("SIGKILL");
      const again = await startServer({ dataDir: server.dataDir });
      expect(await expectOk(again.url, "GET", `/api/servers/${kept.id}`)).toMatchObject({ name: "Before" });
      await login(again.url, "late");
      server = again;
    },
    30_000,
  );

  onLinux(
    "GW5 F20 without file descriptors new connections fail, old ones are served, and it recovers",
    async () => {
      const device = await openDevice(dialPlain, server.url, ada);
      limit(server, "--nofile=128:");
      const { hostname, port } = new URL(server.url);
      const sockets = Array.from({ length: 300 }, () => connect({ host: hostname, port: Number(port) }));
      for (const socket of sockets) socket.resume().on("error", () => undefined);
      await settled(device);
      await new Promise((resolve) => setTimeout(resolve, 300));
      await settled(device);
      for (const socket of sockets) socket.destroy();
      limit(server, "--nofile=4096:");
      const deadline = Date.now() + 5_000;
      for (;;) {
        const answered = await call(server.url, "GET", "/api/health").catch(() => null);
        if (answered?.status === 200) break;
        expect(Date.now()).toBeLessThan(deadline);
      }
      const other = await openDevice(dialSocketIo, server.url, ada);
      await settled(device, other);
      expect(server.process.exitCode).toBeNull();
      await device.close();
      await other.close();
    },
    20_000,
  );
});
