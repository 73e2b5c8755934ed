import { readdirSync, readFileSync } from "node:fs";
import { join as joinPath } from "node:path";
import { type Credential, type Health, SERVICES } from "@hearth/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  call,
  createServer,
  dialPlain,
  dialRaw,
  DOORS,
  expectOk,
  freshName,
  join,
  openDevice,
  PASSWORD,
  RAW_DOORS,
  register,
  requestText,
  sendRaw,
  settled,
} from "../src/client/index.ts";
import { expectProblem } from "../src/expectations/problem.ts";
import { type Measurements, metricsOf } from "../src/server/metrics.ts";
import { type RunningServer, startServer } from "../src/server/process.ts";

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: "debug" } });
}, 30_000);
afterAll(async () => {
  await server.stop();
  await server.cleanUp();
});

interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly requestId?: string;
  readonly route?: string;
  readonly status?: number;
}

/** What was logged; the banner is for people and stands between. */
const logLines = (output: string): LogLine[] =>
  output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as LogLine);

const internal = (path: string, method = "GET") => call(server.metricsUrl, method, path);

describe("what operators ask", () => {
  it("GW1 health names the version and the state of every service", async () => {
    const manifest = JSON.parse(readFileSync("gateway/package.json", "utf8")) as { version: string };
    const health = await expectOk<Health>(server.url, "GET", "/api/health");
    expect(health).toEqual({
      status: "ok",
      version: manifest.version,
      timestamp: expect.any(Number),
      services: Object.fromEntries(SERVICES.map((name) => [name, "ready"])),
    });
    expect(Math.abs(health.timestamp - Date.now())).toBeLessThan(5_000);
  });

  it("GW1 liveness and readiness, of all and of each service", async () => {
    expect(await internal("/livez")).toMatchObject({ status: 200, body: { live: true } });
    const services = Object.fromEntries(SERVICES.map((name) => [name, true]));
    expect(await internal("/readyz")).toMatchObject({ status: 200, body: { ready: true, services } });
    for (const name of SERVICES) {
      const answer = await internal(`/readyz/${name}`);
      expect(answer).toMatchObject({ status: 200, body: { ready: true, services: { [name]: true } } });
    }
    expectProblem(await internal("/readyz/nothing"), "NOT_FOUND");
    expectProblem(await internal("/metrics", "POST"), "METHOD_NOT_ALLOWED");
  });

  it.each(["/metrics", "/livez", "/readyz", "/readyz/auth", "/api/metrics"])(
    "GW1 %s is not on the public port",
    async (path) => {
      expectProblem(await call(server.url, "GET", path), "NOT_FOUND");
      expect((await call(server.url, "GET", path, { headers: { accept: "text/html" } })).status).toBe(404);
    },
  );

  it("ER1 one request id goes from the gateway's answer to the service's log lines", async () => {
    const { token } = await register(server.url);
    const good = await call(server.url, "GET", "/api/users/me", { token });
    const bad = await call(server.url, "GET", `/api/servers/${crypto.randomUUID()}`);
    for (const [answer, route, status] of [
      [good, "/api/users/me", 200],
      [bad, "/api/servers/:id", 404],
    ] as const) {
      const requestId = answer.headers.get("x-request-id") ?? "";
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
      await new Promise((resolve) => setTimeout(resolve, 50));
      const lines = logLines(server.output()).filter((line) => line.requestId === requestId);
      expect(lines).toContainEqual(expect.objectContaining({ msg: "request", route, status }));
    }
  });
});

describe("metrics", () => {
  const moved = async (
    name: string,
    labels: Record<string, string>,
    act: () => Promise<void>,
  ): Promise<number> => {
    const before = (await metricsOf(server)).sum(name, labels);
    await act();
    return (await metricsOf(server)).sum(name, labels) - before;
  };

  it.each(RAW_DOORS)(
    "WS11 sockets, identify outcomes and closes by code are counted on the %s door",
    async (door) => {
      const before = await metricsOf(server);
      const account = await register(server.url);
      const socket = await dialRaw(server.url, door);
      for (const token of ["wrong", undefined, account.token]) {
        socket.say(JSON.stringify({ type: "identify", token }), "identify");
      }
      await socket.inbox.next("identified");
      const during = await metricsOf(server);
      const change = (from: Measurements, to: Measurements, name: string, labels = {}): number =>
        to.sum(name, labels) - from.sum(name, labels);
      expect(change(before, during, "hearth_presence_sockets", { door })).toBe(1);
      expect(change(before, during, "hearth_presence_identified_connections")).toBe(1);
      for (const outcome of ["identified", "auth_error", "auth_required"]) {
        expect([outcome, change(before, during, "hearth_presence_identifies_total", { outcome })]).toEqual([
          outcome,
          1,
        ]);
      }
      await expectOk(server.url, "POST", "/api/users/logout", { token: account.token });
      await socket.closed;
      await new Promise((resolve) => setTimeout(resolve, 50));
      const after = await metricsOf(server);
      expect(change(during, after, "hearth_presence_closes_total", { door, code: "4501" })).toBe(1);
      expect(after.sum("hearth_presence_sockets", { door })).toBe(
        before.sum("hearth_presence_sockets", { door }),
      );
      expect(
        after.sum("hearth_auth_sessions_ended_total") - before.sum("hearth_auth_sessions_ended_total"),
      ).toBe(1);
    },
  );

  it("WS9 relays are counted by type, refusals by code", async () => {
    const owner = await register(server.url);
    const room = await createServer(server.url, owner, { name: freshName("room") });
    const device = await openDevice(dialPlain, server.url, owner);
    await join(device, room.id);
    const chat = { type: "chat_message", serverId: room.id, message: { id: "m", content: "x" } };
    const relays = "hearth_presence_relays_total";
    expect(
      await moved(relays, { type: "chat_message" }, async () => {
        for (let sent = 0; sent < 5; sent += 1) await device.ask(chat);
      }),
    ).toBe(5);
    expect(
      await moved("hearth_presence_refusals_total", { code: "NOT_JOINED" }, async () => {
        await device.ask({ ...chat, serverId: crypto.randomUUID() });
      }),
    ).toBe(1);
    await device.close();
  });

  it("WS2 the depth of the queues is seen while something is slow", async () => {
    const slow = await startServer({
      entry: "e2e/entries/slow-auth.ts",
      env: { SEED: "7", MAX_DELAY_MS: "2000", LOG_LEVEL: "error" },
    });
    try {
      const { token } = await register(slow.url);
      const sockets = await Promise.all(Array.from({ length: 8 }, () => dialPlain(slow.url)));
      const depth = async (): Promise<number> =>
        (await metricsOf(slow)).sum("hearth_presence_queue_messages");
      expect(await depth()).toBe(0);
      for (const socket of sockets) {
        socket.send({ type: "identify", token });
        for (let sent = 0; sent < 20; sent += 1) socket.send({ type: "ping" });
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await depth()).toBeGreaterThanOrEqual(20);
      await Promise.all(sockets.map((socket) => socket.inbox.next("identified")));
      await settled(...sockets);
      expect(await depth()).toBe(0);
      for (const socket of sockets) await socket.close();
    } finally {
      await slow.stop();
      await slow.cleanUp();
    }
  }, 20_000);

  it("AU8 WS12 hits of limiters are counted, of each limiter and of the sockets' own", async () => {
    const account = await register(server.url, "limited");
    const guess = () =>
      call(server.url, "POST", "/api/users/login", {
        body: { username: "limited", password: "a wrong one" },
      });
    const hits = await moved("hearth_limiter_refusals_total", { limiter: "account-failures" }, async () => {
      for (let tries = 0; tries < 12; tries += 1) await guess();
    });
    expect(hits).toBe(2);
    const socket = await openDevice(dialPlain, server.url, account);
    const refused = await moved("hearth_presence_refusals_total", { code: "RATE_LIMITED" }, async () => {
      for (let sent = 0; sent < 400; sent += 1) socket.send({ type: "ping" });
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    expect(refused).toBeGreaterThan(50);
    expect(refused).toBe(socket.inbox.count("error", ({ code }) => code === "RATE_LIMITED"));
    await socket.close();
  });

  it("GW1 the bus's latency, the event loop's lag and every service's requests are there and move", async () => {
    const { token } = await register(server.url);
    const ask = async (): Promise<void> => {
      await expectOk(server.url, "GET", "/api/servers", { token });
      await expectOk(server.url, "GET", "/api/health");
    };
    expect(
      await moved("hearth_bus_request_duration_seconds_count", { subject: "sync.health" }, ask),
    ).toBeGreaterThan(0);
    expect(
      await moved("hearth_bus_request_duration_seconds_sum", { subject: "sync.health" }, ask),
    ).toBeGreaterThan(0);
    const listed = { service: "discovery", operation: "listServers", status: "200" };
    expect(await moved("hearth_http_requests_total", listed, ask)).toBe(1);
    expect(await moved("hearth_gateway_requests_total", { upstream: "discovery", status: "200" }, ask)).toBe(
      1,
    );
    const measured = await metricsOf(server);
    for (const name of [
      "nodejs_eventloop_lag_seconds",
      "nodejs_eventloop_lag_p99_seconds",
      "process_resident_memory_bytes",
      "process_open_fds",
    ]) {
      expect([name, measured.has(name)]).toEqual([name, true]);
    }
    expect(measured.sum("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
  });

  it("GW1 no label says who or where: none holds a user, a room, an address or a path", async () => {
    const owner = await register(server.url);
    const room = await createServer(server.url, owner, { name: freshName("labelled") });
    await expectOk(server.url, "GET", `/api/servers/${room.id}`);
    const { text } = await metricsOf(server);
    for (const private_ of [owner.id, owner.username, room.id, room.name, "127.0.0.1", "/api/"]) {
      expect(text).not.toContain(private_);
    }
  });
});

describe("secrets", () => {
  const MARK = "m4rk3r";
  const secret = (name: string): string => `${MARK}-${name}-${crypto.randomUUID()}`;
  const bodies: string[] = [];
  const tokens: string[] = [];

  const say = async (method: string, path: string, options: Parameters<typeof call>[3] = {}) => {
    const answer = await call(server.url, method, path, options);
    if (answer.status >= 400) bodies.push(JSON.stringify(answer.body));
    return answer;
  };
  const enrol = async (username: string, password: string): Promise<Credential> => {
    const answer = await say("POST", "/api/users/register", { body: { username, password } });
    expect(answer.status).toBe(201);
    tokens.push((answer.body as Credential).token);
    return answer.body as Credential;
  };

  const tellRest = async (username: string, { id, token }: Credential, password: string): Promise<void> => {
    const next = secret("password");
    await say("POST", "/api/users/login", { body: { username, password: secret("guess") } });
    await say("POST", "/api/users/login", { body: { username, password, extra: secret("password") } });
    await say("POST", "/api/users/register", { body: { username, password: secret("password") } });
    await say("POST", "/api/users/register", {
      raw: `{"username":"x","password":"${secret("password")}`,
      headers: { "content-type": "application/json" },
    });
    await say("POST", "/api/users/login", {
      body: { username: `${MARK}\r\n{"level":60}`, password: secret("p") },
    });
    await say("POST", "/api/users/password", {
      token,
      body: { currentPassword: password, newPassword: next },
    });
    await say("POST", "/api/users/password", {
      token,
      body: { currentPassword: secret("guess"), newPassword: "x" },
    });
    await say("DELETE", "/api/users/sessions", { token, body: { currentPassword: secret("guess") } });
    await say("PUT", `/api/users/device-tokens/${id}/phone`, {
      token,
      body: { platform: "web", token: secret("push") },
    });
    await say("PUT", `/api/users/device-tokens/${id}/phone`, {
      token,
      body: { platform: "fax", token: secret("push") },
    });
    await say("GET", `/api/users/me?token=${token}&access_token=${secret("token")}`);
    await say("GET", "/api/users/me", { token: secret("token") });
    await say("GET", `/api/users/me?access_token=${secret("token")}`, { token });
    await say("GET", `/api/servers?cursor=${secret("token")}`);
    await say("GET", `/api/users/me/${token}`);
    await say("GET", "/api/users/me", {
      headers: { authorization: `Basic ${btoa(secret("basic"))}`, cookie: secret("cookie") },
    });
    const room = await createServer(server.url, { token }, { name: "Story", visibility: "private" });
    await say("POST", `/api/servers/${room.id}/requests`, { token, body: { message: secret("message") } });
    await say("PUT", `/api/servers/${room.id}/bans/${crypto.randomUUID()}`, {
      token,
      body: { reason: secret("message") },
    });
    await sendRaw(
      server.url,
      requestText(server.url, "GET", `/api/users/me`, [
        `Authorization: Bearer ${token}`,
        `Authorization: ${secret("token")}`,
      ]),
    );
  };

  const tellSockets = async (account: Credential, sibling: Credential): Promise<void> => {
    const room = await createServer(server.url, account, { name: "Chat" });
    for (const [, dial] of DOORS) {
      const device = await openDevice(dial, server.url, account);
      const other = await openDevice(dial, server.url, sibling);
      await join(device, room.id);
      await join(other, room.id);
      const message = { id: secret("id"), content: secret("message") };
      const place = { serverId: room.id };
      const answers = [
        await device.ask({ type: "chat_message", ...place, message }),
        await device.ask({ type: "chat_message", ...place, message: { content: secret("message") } }),
        await device.ask({ type: "chat_message", serverId: crypto.randomUUID(), message }),
        await device.ask({
          type: "message_revision",
          ...place,
          messageId: "m",
          revision: { content: secret("message") },
        }),
        await device.ask({ type: "direct_message", toUserId: sibling.id, message }),
        await device.ask({ type: "direct_message", toUserId: "nobody", message }),
        await device.ask({ type: "status_update", status: "away", statusText: secret("message") }),
        await device.ask({
          type: "account_sync",
          clientInstanceId: device.clientInstanceId,
          payload: { type: "chat-message", message },
        }),
        await device.ask({
          type: "account_sync",
          clientInstanceId: device.clientInstanceId,
          payload: { type: "chat-message", message: secret("message") },
        }),
        await device.ask({
          type: "account_sync",
          clientInstanceId: device.clientInstanceId,
          payload: secret("message"),
        }),
        await device.ask({ type: "identify", token: secret("token") }),
        await device.ask({ type: "offer", toUserId: sibling.id, sdp: secret("sdp") }),
      ];
      bodies.push(...answers.map((answer) => JSON.stringify(answer)));
      await device.close();
      await other.close();
    }
    for (const door of RAW_DOORS) {
      const socket = await dialRaw(server.url, door);
      socket.say(JSON.stringify({ type: "identify", token: account.token }), "identify");
      await socket.inbox.next("identified");
      socket.frame(`{"type":"chat_message","message":{"content":"${secret("message")}`);
      socket.frame(`42["chat_message",{"message":"${secret("message")}"`);
      bodies.push(JSON.stringify(await socket.inbox.next("error")));
      await socket.close();
    }
  };

  it("ER1 S9 no password, token or text of a message is in any log line, metric or error", async () => {
    const username = freshName("story");
    const password = secret("password");
    const account = await enrol(username, password);
    const sibling = await enrol(freshName("story"), secret("password"));
    await tellRest(username, account, password);
    await tellSockets(account, sibling);
    await say("POST", "/api/users/logout", { token: account.token });
    await say("GET", "/api/users/me", { token: account.token });
    const { text: metrics } = await metricsOf(server);
    const output = server.output();
    expect(logLines(output).length).toBeGreaterThan(20);
    expect(bodies.length).toBeGreaterThan(30);
    for (const [where, text] of Object.entries({ output, metrics, bodies: bodies.join("\n") })) {
      for (const word of [MARK, ...tokens]) {
        const at = text.indexOf(word);
        expect([where, at < 0 ? "" : text.slice(Math.max(0, at - 200), at + 100)]).toEqual([where, ""]);
      }
    }
  }, 20_000);

  it("ER1 S9 every line of the log is one object, whatever was in a name", () => {
    const [banner, ...rest] = server.output().split(/^(?=\{)/m);
    expect(banner).not.toContain(MARK);
    for (const line of rest.flatMap((part) => part.split("\n")).filter((each) => each.startsWith("{"))) {
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), name: expect.any(String) });
    }
    expect(logLines(server.output()).filter(({ level }) => level >= 60)).toEqual([]);
  });

  it("AU4 S7 neither a token nor a password is in any file of the server", async () => {
    const files = readdirSync(server.dataDir).map((name) => joinPath(server.dataDir, name));
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      const bytes = readFileSync(file).toString("latin1");
      for (const word of [...tokens, `${MARK}-password`, PASSWORD])
        expect([file, bytes.includes(word)]).toEqual([file, false]);
    }
  });
});
