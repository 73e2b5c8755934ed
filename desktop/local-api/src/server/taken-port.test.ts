import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { takePort } from "./testing/ports.ts";
import { isClosed, ON, stageServer } from "./testing/server-stage.ts";
import type { ServerStage } from "./testing/server-stage.ts";

let stage: ServerStage;

beforeEach(() => {
  stage = stageServer();
});
afterEach(() => stage.server.stop());

describe("a port in use", () => {
  it("LA8 C8 is reported with advice, never replaced by another port, and forgotten when it is free", async () => {
    const { server } = stage;
    const { port, free } = await takePort();
    const state = await server.apply({ ...ON, port });
    expect(state).toEqual({
      status: "failed",
      urls: [],
      lastError: `Port ${port} on 127.0.0.1 is in use by another program. Choose another port in the settings, or end the program that uses it.`,
    });
    await free();
    expect(await server.apply({ ...ON, port })).toEqual({
      status: "listening",
      urls: [`http://127.0.0.1:${port}`],
      lastError: null,
    });
  });

  it("LA8 C8 a server that cannot move is off: it is never reachable at other addresses than the settings say", async () => {
    const { login, server, statusFor, urlNow } = stage;
    await server.apply(ON);
    const before = urlNow();
    const { token } = await login("ada");
    const { port, free } = await takePort();
    expect((await server.apply({ ...ON, port })).status).toBe("failed");
    expect(await isClosed(before)).toBe(true);
    expect(server.tokens()).toEqual([]);
    await free();
    await server.apply(ON);
    expect(await statusFor(token)).toBe(401);
  });

  it("LA8 disabling the server clears the problem", async () => {
    const { server } = stage;
    const { port, free } = await takePort();
    await server.apply({ ...ON, port });
    expect((await server.apply({ ...ON, enabled: false, port })).lastError).toBeNull();
    await free();
  });
});
