import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { silentLog } from "../log/log.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { StartError } from "../errors/start-error.ts";
import type { HttpListener } from "../http/listener.ts";
import { createInternalServer } from "./internal-server.ts";

describe("the internal server", () => {
  const ready = { auth: true, presence: true };
  const modules = [
    { name: "auth", ready: () => ready.auth },
    { name: "presence", ready: () => ready.presence },
  ];
  const metrics = createMetrics({ process: false });
  const options = { host: "127.0.0.1", port: 0, metrics, modules, log: silentLog };
  let server: HttpListener;

  beforeEach(async () => {
    server = createInternalServer(options);
    await server.start();
    Object.assign(ready, { auth: true, presence: true });
  });
  afterEach(() => server.stop());

  const get = async (path: string, method = "GET") => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
    return {
      status: response.status,
      text: await response.text(),
      type: response.headers.get("content-type"),
    };
  };

  it("is ready when every service is, and lists each", async () => {
    const { status, text } = await get("/readyz");
    expect([status, JSON.parse(text)]).toEqual([
      200,
      { ready: true, services: { auth: true, presence: true } },
    ]);
  });

  it("is live but not ready while one service is not", async () => {
    ready.presence = false;
    const { status, text } = await get("/readyz");
    expect([status, JSON.parse(text)]).toEqual([
      503,
      { ready: false, services: { auth: true, presence: false } },
    ]);
    expect((await get("/readyz/auth")).status).toBe(200);
    expect((await get("/readyz/presence")).status).toBe(503);
    expect((await get("/livez")).status).toBe(200);
  });

  it("counts a service whose check fails as not ready", async () => {
    const broken = createInternalServer({
      ...options,
      modules: [
        {
          name: "sync",
          ready: () => {
            throw new Error("broken");
          },
        },
      ],
    });
    await broken.start();
    const response = await fetch(`http://127.0.0.1:${broken.port}/readyz/sync`);
    expect(response.status).toBe(503);
    await response.text();
    await broken.stop();
  });

  it("shows the metrics as text", async () => {
    metrics.counter({ name: "hearth_test_total", help: "Tests" }).inc();
    const { status, text, type } = await get("/metrics?x=1");
    expect([status, type]).toEqual([200, metrics.contentType]);
    expect(text).toContain("hearth_test_total");
  });

  it("answers anything else with a problem", async () => {
    for (const path of ["/", "/readyz/nobody", "/readyz/"]) expect((await get(path)).status).toBe(404);
    const post = await get("/livez", "POST");
    expect([post.status, post.type]).toEqual([405, "application/problem+json"]);
  });

  it("explains that it cannot start on a port in use", async () => {
    const second = createInternalServer({ ...options, port: server.port });
    await expect(second.start()).rejects.toThrow(StartError);
  });
});
