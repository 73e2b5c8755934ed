import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { connect } from "node:net";
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
} from "../../src/client/index.ts";
import { Burst, expectKept, Ledger, writes } from "../../src/expectations/burst.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { type RunningServer, startServer } from "../../src/server/process.ts";

describe("acknowledged writes survive the end of the process", () => {
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

  it("WS15 tells each client when to reconnect, closes with 4001 and exits with 0 within 5 s; acknowledged messages were delivered", async () => {
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

/** Only Linux can change the limits of a running process. */
const onLinux = existsSync("/usr/bin/prlimit") ? it : it.skip;
const limit = ({ process: child }: RunningServer, option: string): void => {
  execFileSync("/usr/bin/prlimit", ["--pid", String(child.pid), option]);
};

describe("when the machine runs out of resources", () => {
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
    "ER6 F16 on a full disk writes are 503 and reads go on; with room again all is well (needs prlimit)",
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
    "GW5 F20 without file descriptors new connections fail, old ones are served, and it recovers (needs prlimit)",
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
