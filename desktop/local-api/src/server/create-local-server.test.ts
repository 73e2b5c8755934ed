import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { freePort } from "@hearth/runtime/testing/servers";
import { get, isClosed, LAN_ADDRESS, ON, rawStatus, SERVER, stageServer } from "./testing/server-stage.ts";
import type { ServerStage } from "./testing/server-stage.ts";

let stage: ServerStage;

beforeEach(() => {
  stage = stageServer();
});
afterEach(() => stage.server.stop());

describe("the local server applies its settings at once", () => {
  it("LA8 it is off until it is enabled, then reports its address", async () => {
    const { server, urlNow } = stage;
    expect(server.state()).toEqual({ status: "stopped", urls: [], lastError: null });
    const state = await server.apply(ON);
    expect(state).toEqual({
      status: "listening",
      urls: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)],
      lastError: null,
    });
    expect(await get(urlNow())).toBe(200);
  });

  it("LA8 disabling it closes the port", async () => {
    const { server, urlNow } = stage;
    await server.apply(ON);
    const url = urlNow();
    expect(await server.apply({ ...ON, enabled: false })).toEqual({
      status: "stopped",
      urls: [],
      lastError: null,
    });
    expect(await isClosed(url)).toBe(true);
  });

  it("LA8 a new port is bound at once, and the old one freed", async () => {
    const { server, urlNow } = stage;
    await server.apply(ON);
    const before = urlNow();
    const port = await freePort();
    const state = await server.apply({ ...ON, port });
    expect(state.urls).toEqual([`http://127.0.0.1:${port}`]);
    expect(await get(urlNow())).toBe(200);
    expect(await isClosed(before)).toBe(true);
  });

  it("LA8 LA4 exposeOnLan rebinds the same port, and its names follow", async () => {
    const { server } = stage;
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

  it("LA8 documents and the allowed list change without rebinding", async () => {
    const { listens, server, urlNow } = stage;
    await server.apply(ON);
    const url = urlNow();
    expect(await get(`${url}/docs`)).toBe(404);
    await server.apply({ ...ON, referenceDocsEnabled: true });
    expect(await get(`${url}/docs`)).toBe(200);
    await server.apply({ ...ON, allowedSignalingServers: [SERVER] });
    expect([urlNow(), listens()]).toEqual([url, 1]);
  });

  it("LA8 a response under way is finished during rebinding", async () => {
    const { askSlowly, server, urlNow } = stage;
    await server.apply(ON);
    const { answer, finish } = await askSlowly();
    const port = await freePort();
    await server.apply({ ...ON, port });
    expect(await get(urlNow())).toBe(200);
    finish();
    expect(await answer).toBe("done");
  });

  it("LA8 X19 the last of overlapping changes wins, with one listener", async () => {
    const { server, urlNow } = stage;
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

  it("LA8 every state change is reported, and a failing listener harms no other", async () => {
    const { server } = stage;
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

describe("its addresses", () => {
  // Other systems have only one loopback address by default.
  const onLinux = process.platform === "linux" ? it : it.skip;

  onLinux("LA8 LA4 only by 127.0.0.1, and by every address with exposeOnLan (needs Linux)", async () => {
    const { server } = stage;
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
