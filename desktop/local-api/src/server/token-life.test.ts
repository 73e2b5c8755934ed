import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { freePort } from "@hearth/runtime/testing/servers";
import { isClosed, ON, OTHER, SERVER, stageServer } from "./testing/server-stage.ts";
import type { ServerStage } from "./testing/server-stage.ts";

let stage: ServerStage;

beforeEach(() => {
  stage = stageServer();
});
afterEach(() => stage.server.stop());

describe("token lifetime", () => {
  it("LA6 L22 a token from before a stop is 401 after the next start", async () => {
    const { login, server, statusFor } = stage;
    await server.apply(ON);
    const { token } = await login("ada");
    expect(await statusFor(token)).toBe(200);
    await server.stop();
    expect(server.tokens()).toEqual([]);
    await server.apply(ON);
    expect(await statusFor(token)).toBe(401);
  });

  it("LA6 L22 disabling the server revokes the tokens", async () => {
    const { login, server, statusFor } = stage;
    await server.apply(ON);
    const { token } = await login("ada");
    await server.apply({ ...ON, enabled: false });
    await server.apply(ON);
    expect(await statusFor(token)).toBe(401);
  });

  it("LA6 LA8 rebinding is no stop: tokens stay valid", async () => {
    const { login, server, statusFor } = stage;
    await server.apply(ON);
    const { token } = await login("ada");
    await server.apply({ ...ON, port: await freePort() });
    expect(await statusFor(token)).toBe(200);
  });

  it("LA8 LA5 removing an instance from the allowed list revokes the tokens of its users", async () => {
    const { login, server, statusFor } = stage;
    await server.apply(ON);
    const ada = await login("ada", SERVER);
    const eve = await login("eve", OTHER);
    await server.apply({ ...ON, allowedSignalingServers: [SERVER] });
    expect(await statusFor(ada.token)).toBe(200);
    expect(await statusFor(eve.token)).toBe(401);
  });

  it("LA6 the app lists and revokes tokens, and is notified about them", async () => {
    const { login, server } = stage;
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

  it("LA6 X18 a stop lets a running request finish, and accepts no new one", async () => {
    const { askSlowly, server, urlNow } = stage;
    await server.apply(ON);
    const url = urlNow();
    const { answer, finish } = await askSlowly();
    const stopped = server.stop();
    finish();
    expect(await answer).toBe("done");
    await stopped;
    expect(await isClosed(url)).toBe(true);
  });
});
