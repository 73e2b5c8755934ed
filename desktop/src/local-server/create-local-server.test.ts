import { once } from "node:events";
import { request } from "node:http";
import { createServer } from "node:net";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import {
  bearerToken,
  createMemoryLimiters,
  problemOf,
  sendProblem,
  silentLog,
  systemClock,
} from "@hearth/runtime";
import { createLocalAccess } from "../access/create-local-access.ts";
import type { LocalAccess } from "../access/local-access.ts";
import { DEFAULT_LOCAL_API_SETTINGS } from "../settings/local-api-settings.ts";
import type { LocalApiSettings } from "../settings/local-api-settings.ts";
import { createLocalServer } from "./create-local-server.ts";
import type { LocalApiContext } from "./create-local-server.ts";
import type { LocalServer } from "./local-server.ts";
import { thisMachine } from "./own-names.ts";

const SERVER = "http://ok.example";
const OTHER = "http://other.example";
const ON: LocalApiSettings = {
  ...DEFAULT_LOCAL_API_SETTINGS,
  enabled: true,
  port: 0,
  allowedSignalingServers: [SERVER, OTHER],
};
const LAN_ADDRESS = "192.168.77.7";
const CALLER = { remoteAddress: "127.0.0.1", userAgent: null };

/** Requests for `/slow` wait here until a test lets them go. */
let slow: (() => void)[];
let slowCame: Promise<void>;
let access: LocalAccess;
let server: LocalServer;
let listens: number;

function createApi({ guard, settings, access: tokens }: LocalApiContext): RequestListener {
  listens += 1;
  let came: () => void = () => undefined;
  slowCame = new Promise((resolve) => (came = resolve));
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url === "/docs") response.writeHead(settings().referenceDocsEnabled ? 200 : 404).end();
    else if (request.url === "/slow") {
      slow.push(() => void response.end("done"));
      came();
    } else if (request.url === "/mine") response.end(tokens.verify(bearerToken(request) ?? "").username);
    else response.end("ok");
  };
  return (request, response) => {
    guard(request, response, (refused) => {
      try {
        if (refused === undefined) answer(request, response);
        else sendProblem(response, problemOf(refused, silentLog), "id");
      } catch (error) {
        sendProblem(response, problemOf(error, silentLog), "id");
      }
    });
  };
}

beforeEach(() => {
  slow = [];
  listens = 0;
  access = createLocalAccess({
    allowedServers: () => [SERVER, OTHER],
    accounts: async () => [],
    validate: async ({ username }) => ({ id: "id", username, displayName: username }),
    clock: systemClock,
    limiters: createMemoryLimiters(),
    log: silentLog,
  });
  server = createLocalServer({
    access,
    createApi,
    log: silentLog,
    machine: { ...thisMachine, addresses: () => ["127.0.0.1", LAN_ADDRESS, "fe80::1"] },
  });
});
afterEach(() => server.stop());

const login = (username: string, serverUrl = SERVER) =>
  access.login({ username, password: "p", serverUrl }, CALLER);

async function get(url: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url, { headers: { connection: "close", ...headers } });
  await response.text();
  return response.status;
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const isClosed = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    () => true,
  );
const urlNow = (): string => server.state().urls[0] ?? "";

async function listenOn(port: number, host = "127.0.0.1"): Promise<Server> {
  const taken = createServer().listen(port, host);
  await once(taken, "listening");
  return taken;
}
const portOf = (taken: Server): number => (taken.address() as AddressInfo).port;
const close = (taken: Server): Promise<void> => new Promise((resolve) => taken.close(() => resolve()));

async function freePort(): Promise<number> {
  const probe = await listenOn(0);
  const port = portOf(probe);
  await close(probe);
  return port;
}

describe("the local server's settings take effect at once", () => {
  it("LA8 it is off until it is turned on, and then says where it is reached", async () => {
    expect(server.state()).toEqual({ status: "stopped", urls: [], lastError: null });
    const state = await server.apply(ON);
    expect(state).toEqual({
      status: "listening",
      urls: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)],
      lastError: null,
    });
    expect(await get(urlNow())).toBe(200);
  });

  it("LA8 turning it off closes the port", async () => {
    await server.apply(ON);
    const url = urlNow();
    expect(await server.apply({ ...ON, enabled: false })).toEqual({
      status: "stopped",
      urls: [],
      lastError: null,
    });
    expect(await isClosed(url)).toBe(true);
  });

  it("LA8 a changed port is bound at once, and the old one is free", async () => {
    await server.apply(ON);
    const before = urlNow();
    const port = await freePort();
    const state = await server.apply({ ...ON, port });
    expect(state.urls).toEqual([`http://127.0.0.1:${port}`]);
    expect(await get(urlNow())).toBe(200);
    expect(await isClosed(before)).toBe(true);
  });

  it("LA8 LA4 exposeOnLan binds the same port anew, and its names come and go with it", async () => {
    const port = await freePort();
    await server.apply({ ...ON, port });
    const lan = { host: `${LAN_ADDRESS}:${port}` };
    expect(await rawStatus(port, lan.host)).toBe(403);
    for (let turn = 0; turn < 5; turn += 1) {
      const open = await server.apply({ ...ON, port, exposeOnLan: true });
      expect(open.urls).toEqual([`http://127.0.0.1:${port}`, `http://${LAN_ADDRESS}:${port}`]);
      expect(await rawStatus(port, lan.host)).toBe(200);
      const closed = await server.apply({ ...ON, port });
      expect(closed).toEqual({ status: "listening", urls: [`http://127.0.0.1:${port}`], lastError: null });
      expect(await rawStatus(port, lan.host)).toBe(403);
    }
  });

  it("LA8 documents and the allowed list change without binding anew", async () => {
    await server.apply(ON);
    const url = urlNow();
    expect(await get(`${url}/docs`)).toBe(404);
    await server.apply({ ...ON, referenceDocsEnabled: true });
    expect(await get(`${url}/docs`)).toBe(200);
    await server.apply({ ...ON, allowedSignalingServers: [SERVER] });
    expect([urlNow(), listens]).toEqual([url, 1]);
  });

  it("LA8 an answer under way is finished while the server binds anew", async () => {
    await server.apply(ON);
    const answer = fetch(`${urlNow()}/slow`).then((response) => response.text());
    await slowCame;
    const port = await freePort();
    await server.apply({ ...ON, port });
    expect(await get(urlNow())).toBe(200);
    for (const end of slow) end();
    expect(await answer).toBe("done");
  });

  it("LA8 X19 of changes that overlap the last one wins, and there is one listener", async () => {
    const ports = await Promise.all(Array.from({ length: 8 }, freePort));
    const states = await Promise.all([
      ...ports.map((port, index) => server.apply({ ...ON, port, exposeOnLan: index % 2 === 0 })),
      server.apply({ ...ON, enabled: false }),
      server.apply({ ...ON, port: ports[3] ?? 0 }),
    ]);
    expect(states.at(-1)?.urls).toEqual([`http://127.0.0.1:${ports[3]}`]);
    expect(server.state()).toEqual(states.at(-1));
    expect(await get(urlNow())).toBe(200);
    for (const port of ports) {
      if (port !== ports[3]) expect(await isClosed(`http://127.0.0.1:${port}`)).toBe(true);
    }
  });

  it("LA8 every change of state is told, and a listener that fails harms nobody", async () => {
    const seen: string[] = [];
    server.onChange(() => {
      throw new Error("broken listener");
    });
    const end = server.onChange(() => void seen.push(server.state().status));
    await server.apply(ON);
    expect(seen).toEqual(["starting", "listening"]);
    await server.apply({ ...ON, enabled: false });
    expect(seen.slice(2)).toEqual(["stopped"]);
    end();
    await server.apply(ON);
    expect(seen).toHaveLength(3);
  });
});

describe("where it can be reached", () => {
  // Other systems have no second loopback address unless somebody adds it.
  const onLinux = process.platform === "linux" ? it : it.skip;

  onLinux("LA8 LA4 only by 127.0.0.1, and by every address with exposeOnLan", async () => {
    const port = await freePort();
    await server.apply({ ...ON, port });
    await expect(rawStatus(port, `127.0.0.2:${port}`, "127.0.0.2")).rejects.toMatchObject({
      code: "ECONNREFUSED",
    });
    await server.apply({ ...ON, port, exposeOnLan: true });
    expect(await rawStatus(port, `127.0.0.2:${port}`, "127.0.0.2")).toBe(200);
    await server.apply({ ...ON, port });
    await expect(rawStatus(port, `127.0.0.2:${port}`, "127.0.0.2")).rejects.toMatchObject({
      code: "ECONNREFUSED",
    });
  });
});

describe("a port that cannot be had", () => {
  it("LA8 C8 is reported with what to do, never hopped over, and forgotten when it is over", async () => {
    const taken = await listenOn(0);
    const port = portOf(taken);
    const state = await server.apply({ ...ON, port });
    expect(state).toEqual({
      status: "failed",
      urls: [],
      lastError: `Port ${port} on 127.0.0.1 is in use by another program. Choose another port in the settings, or end the program that uses it.`,
    });
    await close(taken);
    expect(await server.apply({ ...ON, port })).toEqual({
      status: "listening",
      urls: [`http://127.0.0.1:${port}`],
      lastError: null,
    });
  });

  it("LA8 C8 a server that cannot move is off: it is never reached where the settings do not say", async () => {
    await server.apply(ON);
    const before = urlNow();
    const { token } = await login("ada");
    const taken = await listenOn(0);
    expect((await server.apply({ ...ON, port: portOf(taken) })).status).toBe("failed");
    expect(await isClosed(before)).toBe(true);
    expect(server.tokens()).toEqual([]);
    await close(taken);
    await server.apply(ON);
    expect(await get(`${urlNow()}/mine`, bearer(token))).toBe(401);
  });

  it("LA8 turning it off takes the trouble away", async () => {
    const taken = await listenOn(0);
    await server.apply({ ...ON, port: portOf(taken) });
    expect((await server.apply({ ...ON, enabled: false, port: portOf(taken) })).lastError).toBeNull();
    await close(taken);
  });
});

describe("tokens and the server's life", () => {
  it("LA6 L22 a token from before a stop is 401 after the next start", async () => {
    await server.apply(ON);
    const { token } = await login("ada");
    expect(await get(`${urlNow()}/mine`, bearer(token))).toBe(200);
    await server.stop();
    expect(server.tokens()).toEqual([]);
    await server.apply(ON);
    expect(await get(`${urlNow()}/mine`, bearer(token))).toBe(401);
  });

  it("LA6 L22 turning the server off in the settings ends tokens too", async () => {
    await server.apply(ON);
    const { token } = await login("ada");
    await server.apply({ ...ON, enabled: false });
    await server.apply(ON);
    expect(await get(`${urlNow()}/mine`, bearer(token))).toBe(401);
  });

  it("LA6 LA8 binding anew is no stop: tokens go on", async () => {
    await server.apply(ON);
    const { token } = await login("ada");
    await server.apply({ ...ON, port: await freePort() });
    expect(await get(`${urlNow()}/mine`, bearer(token))).toBe(200);
  });

  it("LA8 LA5 a server that leaves the allowed list takes the tokens along that it vouched for", async () => {
    await server.apply(ON);
    const ada = await login("ada", SERVER);
    const eve = await login("eve", OTHER);
    await server.apply({ ...ON, allowedSignalingServers: [SERVER] });
    expect(await get(`${urlNow()}/mine`, bearer(ada.token))).toBe(200);
    expect(await get(`${urlNow()}/mine`, bearer(eve.token))).toBe(401);
  });

  it("LA6 the app lists and revokes tokens, and hears of them", async () => {
    await server.apply(ON);
    let told = 0;
    server.onChange(() => void (told += 1));
    await login("ada");
    await login("bob");
    const [bob] = server.tokens();
    expect(server.revoke(bob?.id ?? "")).toBe(true);
    expect(server.revoke("nobody")).toBe(false);
    expect(server.tokens().map(({ username }) => username)).toEqual(["ada"]);
    server.revokeAll();
    expect([server.tokens(), told]).toEqual([[], 4]);
  });

  it("LA6 X18 a stop during a request lets it finish, and takes no new one", async () => {
    await server.apply(ON);
    const url = urlNow();
    const answer = fetch(`${url}/slow`).then((response) => response.text());
    await slowCame;
    const stopped = server.stop();
    for (const end of slow) end();
    expect(await answer).toBe("done");
    await stopped;
    expect(await isClosed(url)).toBe(true);
  });
});

async function rawStatus(port: number, host: string, address = "127.0.0.1"): Promise<number> {
  const sent = request({ port, host: address, headers: { host }, agent: false }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}
