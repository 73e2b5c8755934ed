import { readFileSync } from "node:fs";
import { type Health, SERVICES } from "@hearth/contracts";
import { describe, expect, it } from "@jest/globals";
import { call, expectOk, register } from "../../src/client/index.ts";
import { logLines } from "../../src/expectations/log-lines.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

const server = serverForTests({ env: { LOG_LEVEL: "debug" } });
const internal = (path: string, method = "GET") => call(server.metricsUrl, method, path);

describe("health for operators", () => {
  it("GW1 health reports the version and the state of every service", async () => {
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

  it("GW1 liveness and readiness of the whole and of each service", async () => {
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

  it("ER1 the request id of the gateway's response is in the service's log lines", async () => {
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
