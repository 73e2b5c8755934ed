import { once } from "node:events";
import { createServer } from "node:net";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import { problemHeaders } from "@hearth/runtime";
import { recordedLog, serve } from "@hearth/runtime/testing";
import type { RecordedLog, Served } from "@hearth/runtime/testing";
import type { UpstreamAccount } from "./upstream.ts";
import { createUpstreamLogin } from "./upstream-login.ts";

const TOKEN = "ab".repeat(32);
const CREDENTIAL = {
  id: "0197b1d0-0000-7000-8000-00000000000a",
  username: "Ada",
  displayName: "Ada L.",
  token: TOKEN,
  expiresAt: 2_000_000_000_000,
};
const PASSWORD = "marker-password \u2603";

interface Heard {
  readonly line: string;
  readonly authorization: string | undefined;
  readonly body: string;
}
type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let server: Served;
let heard: Heard[];
let log: RecordedLog;
let answer: Answer;
let answerLogout: Answer;
let onLogout: () => void;
let loggedOut: Promise<void>;

async function textOf(request: IncomingMessage): Promise<string> {
  request.setEncoding("utf8");
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await textOf(request);
  heard.push({
    line: `${request.method} ${request.url}`,
    authorization: request.headers.authorization,
    body,
  });
  if (request.url !== "/api/users/logout") {
    answer(response, request);
    return;
  }
  answerLogout(response, request);
  onLogout();
}

beforeEach(async () => {
  heard = [];
  log = recordedLog();
  answer = json(200, CREDENTIAL);
  answerLogout = (response) => void response.writeHead(204).end();
  loggedOut = new Promise((resolve) => (onLogout = resolve));
  server = await serve((request, response) => void take(request, response).catch(() => undefined));
});
afterEach(() => server.close());

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response
      .writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers })
      .end(typeof body === "string" ? body : JSON.stringify(body));

const raw =
  (status: number, type: string, body: string | Buffer): Answer =>
  (response) =>
    void response.writeHead(status, { "content-type": type }).end(body);

const login = (serverUrl = server.url, timeoutMs = 5_000): Promise<UpstreamAccount> =>
  createUpstreamLogin({ log: log.log, timeoutMs })({ serverUrl, username: "ada", password: PASSWORD });

async function refusal(...args: Parameters<typeof login>): Promise<ProblemError> {
  const problem = await login(...args).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (problem instanceof ProblemError) return problem;
  throw new Error("It was not refused with a ProblemError", { cause: problem });
}

describe("a login on an instance", () => {
  it("LA5 uses the instance's REST API, and revokes the session", async () => {
    await expect(login()).resolves.toEqual({ id: CREDENTIAL.id, username: "Ada", displayName: "Ada L." });
    await loggedOut;
    expect(heard).toEqual([
      {
        line: "POST /api/users/login",
        authorization: undefined,
        body: JSON.stringify({ username: "ada", password: PASSWORD }),
      },
      { line: "POST /api/users/logout", authorization: `Bearer ${TOKEN}`, body: "" },
    ]);
  });

  it("LA5 succeeds if the session cannot be revoked, and S9 logs neither secret", async () => {
    answerLogout = (_response, request) => void request.socket.destroy();
    await expect(login()).resolves.toMatchObject({ id: CREDENTIAL.id });
    await loggedOut;
    answer = json(200, { ...CREDENTIAL, expiresAt: -1 });
    await refusal();
    const said = log.lines.join("");
    expect(said).not.toContain("marker-password");
    expect(said).not.toContain(TOKEN);
  });

  it.each([201, 299])("LA5 status %i with a credential is a login", async (status) => {
    answer = json(status, CREDENTIAL);
    await expect(login()).resolves.toMatchObject({ username: "Ada" });
    await loggedOut;
  });
});

describe("refusals by an instance", () => {
  it.each([
    ["401", json(401, { code: "INVALID_CREDENTIALS" })],
    ["401 without a body", raw(401, "text/plain", "")],
    ["400 as a problem", raw(400, "application/problem+json", "{}")],
    ["403 as JSON", json(403, {})],
    ["422 as JSON", json(422, {})],
  ])("LA5 L13 %s is INVALID_CREDENTIALS", async (_what, refuse) => {
    answer = refuse;
    expect(await refusal()).toMatchObject({ code: "INVALID_CREDENTIALS", status: 401 });
  });

  it("LA5 L13 429 is UPSTREAM_RATE_LIMITED with its Retry-After", async () => {
    answer = json(429, {}, { "retry-after": "120" });
    const refused = await refusal();
    expect(refused).toMatchObject({ code: "UPSTREAM_RATE_LIMITED", status: 429 });
    expect(problemHeaders(refused)["Retry-After"]).toBe("120");
    answer = json(429, {});
    expect(problemHeaders(await refusal())["Retry-After"]).toBe("30");
  });

  it.each([301, 302, 303, 307, 308])(
    "LA5 L12 a redirect with %i is 502, and the password stays here",
    async (status) => {
      const elsewhere: string[] = [];
      const other = await serve((request, response) => {
        elsewhere.push(request.url ?? "");
        json(200, CREDENTIAL)(response, request);
      });
      for (const location of [`${other.url}/api/users/login`, `${server.url}/again`, "/again"]) {
        answer = (response) => void response.writeHead(status, { location }).end();
        expect((await refusal()).code).toBe("UPSTREAM_UNREACHABLE");
      }
      await other.close();
      expect(elsewhere).toEqual([]);
      expect(heard.map(({ line }) => line)).toEqual(Array.from({ length: 3 }, () => "POST /api/users/login"));
    },
  );

  it.each([400, 403, 404, 405, 408, 415, 422, 500, 502, 503, 504])(
    "LA5 L13 ER6 a page with %i is 502",
    async (status) => {
      answer = raw(status, "text/html", "<h1>no</h1>");
      expect(await refusal()).toMatchObject({ code: "UPSTREAM_UNREACHABLE", status: 502, retryable: true });
    },
  );
});

describe("malicious instances", () => {
  const without = (name: string) => ({ ...CREDENTIAL, [name]: undefined });

  it.each([
    ["HTML", raw(200, "text/html", "<h1>hello</h1>")],
    ["a credential as text", raw(200, "text/plain", JSON.stringify(CREDENTIAL))],
    ["no type", (response: ServerResponse) => void response.end(JSON.stringify(CREDENTIAL))],
    ["bad JSON", json(200, '{"id":')],
    ["nothing", json(200, "")],
    ["204", (response: ServerResponse) => void response.writeHead(204).end()],
    ["null", json(200, null)],
    ["a list", json(200, [CREDENTIAL])],
    ["another username", json(200, { ...CREDENTIAL, username: "eve" })],
    ["a negative expiry", json(200, { ...CREDENTIAL, expiresAt: -1 })],
    ["an expiry as text", json(200, { ...CREDENTIAL, expiresAt: "2030" })],
    ["an id that is none", json(200, { ...CREDENTIAL, id: "../../x" })],
    ["a short token", json(200, { ...CREDENTIAL, token: "abc" })],
    ["a name with a line break", json(200, { ...CREDENTIAL, displayName: "a\nb" })],
    ["a name without an end", json(200, { ...CREDENTIAL, displayName: "a".repeat(300) })],
    ["no id", json(200, without("id"))],
    ["no name", json(200, without("displayName"))],
    ["no token", json(200, without("token"))],
    ["deep nesting", json(200, `${"[".repeat(20_000)}${"]".repeat(20_000)}`)],
    ["bytes that are no UTF-8", raw(200, "application/json", Buffer.from([0x22, 0xff, 0xfe, 0x22]))],
  ])("LA5 L13 %s is 502", async (_what, lie) => {
    answer = lie;
    expect((await refusal()).code).toBe("UPSTREAM_UNREACHABLE");
  });

  it("LA5 a session in a malformed answer is revoked too", async () => {
    answer = json(200, { ...CREDENTIAL, username: "eve" });
    await refusal();
    await loggedOut;
    expect(heard[1]?.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it("LA5 a name in another case or composition is the same", async () => {
    answer = json(200, { ...CREDENTIAL, username: "ADA" });
    await expect(login()).resolves.toMatchObject({ username: "ADA" });
    await loggedOut;
  });

  it("LA5 64 KiB are accepted, one byte more is 502", async () => {
    const padding = 64 * 1024 - JSON.stringify({ ...CREDENTIAL, x: "" }).length;
    answer = json(200, { ...CREDENTIAL, x: "a".repeat(padding) });
    await expect(login()).resolves.toMatchObject({ id: CREDENTIAL.id });
    await loggedOut;
    answer = json(200, { ...CREDENTIAL, x: "a".repeat(padding + 1) });
    expect((await refusal()).code).toBe("UPSTREAM_UNREACHABLE");
  });

  it("LA5 an endless answer is cut off", async () => {
    const ended = new Promise<void>((resolve) => {
      answer = (response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const more = (): void => {
          while (!response.destroyed && response.write("[".repeat(16_384)));
        };
        response.on("drain", more).on("close", () => resolve());
        more();
      };
    });
    expect((await refusal()).code).toBe("UPSTREAM_UNREACHABLE");
    await ended;
  });

  it("LA5 an endless refusal is not awaited", async () => {
    const ended = new Promise<void>((resolve) => {
      answer = (response) => {
        response.writeHead(401, { "content-type": "application/json" }).write("[");
        response.on("close", () => resolve());
      };
    });
    expect((await refusal()).code).toBe("INVALID_CREDENTIALS");
    await ended;
  });
});

describe("unreachable instances", () => {
  it.each([
    ["nothing at all", () => undefined],
    [
      "headers alone",
      (response: ServerResponse) =>
        response.writeHead(200, { "content-type": "application/json" }).flushHeaders(),
    ],
  ])("LA5 times out when the server sends %s", async (_what, stall) => {
    answer = stall;
    const problem = await refusal(server.url, 200);
    expect(problem).toMatchObject({
      code: "UPSTREAM_UNREACHABLE",
      message: "The signaling server took too long",
    });
  });

  it("LA5 times out even if bytes keep arriving", async () => {
    answer = (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const drip = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(drip));
    };
    expect((await refusal(server.url, 200)).message).toBe("The signaling server took too long");
  });

  it("LA5 L13 a refused or broken connection, or one without TLS, is 502 without system messages", async () => {
    const closed = await serve(() => undefined);
    await closed.close();
    const garbage = createServer(
      (socket) =>
        void socket
          .on("error", () => undefined)
          .resume()
          .end("220 smtp ready\r\n"),
    );
    await once(garbage.listen(0, "127.0.0.1"), "listening");
    const garbageUrl = `http://127.0.0.1:${(garbage.address() as AddressInfo).port}`;
    answer = (_response, request) => void request.socket.destroy();
    for (const url of [closed.url, server.url, server.url.replace("http:", "https:"), garbageUrl]) {
      expect(await refusal(url)).toMatchObject({
        code: "UPSTREAM_UNREACHABLE",
        message: "The signaling server cannot be reached",
      });
    }
    await new Promise((resolve) => garbage.close(resolve));
    expect(log.records().length).toBe(4);
  });
});
