import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { DeepLink, LocalApiView, NotificationTarget } from "@hearth/bridge";
import { CALL, EVENT } from "@hearth/bridge";
import { freePort } from "@hearth/runtime/testing/servers";
import { ROOM, aRoom } from "@hearth/store/testing";
import { until } from "@hearth/runtime/testing/until";
import { forget, startApp } from "./testing/app.ts";
import type { RunningApp } from "./testing/app.ts";
import { app as electronApp } from "./testing/electron.ts";
import { preventable } from "./testing/events.ts";
import { preloadScript, runPreload } from "./testing/preload.ts";
import type { PreloadWorld } from "./testing/preload.ts";

let script: string;
let app: RunningApp;
let port: number;

/** The built preload script with the real main process. */
function connect(): PreloadWorld {
  const argv = app.window.options.webPreferences?.additionalArguments ?? [];
  return runPreload(script, (channel, input) => app.invoke(channel, input), argv);
}

beforeAll(async () => {
  script = await preloadScript();
  port = await freePort();
  app = await startApp({ settings: { port } });
}, 60_000);

afterAll(async () => {
  await app.quit();
  await forget(app.directory);
});

/** Values of another realm are compared by content. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("the preload script", () => {
  it("S16 needs only electron, exposes one name, and cannot send arbitrary messages", () => {
    const { hearth, required, exposed } = connect();
    expect(required).toEqual(["electron"]);
    expect(exposed).toEqual(["hearth"]);
    expect(Object.keys(hearth).sort()).toEqual([
      "autoStart",
      "links",
      "localApi",
      "notifications",
      "openDocument",
      "secrets",
      "store",
      "version",
    ]);
    expect(script).not.toMatch(/\bsendSync\b|\bsendToHost\b|\beval\(|new Function/);
    expect(script.length).toBeLessThan(10_000);
  });

  it("knows the app's version", () => {
    expect(connect().hearth.version).toMatch(/^\d+\.\d+\.\d+/);
  });

  it("sends every call to the main process", async () => {
    const { hearth } = connect();
    expect(plain(await hearth.localApi.view())).toMatchObject({ settings: { enabled: false, port } });
    expect(plain(await hearth.localApi.change({ enabled: true }))).toMatchObject({ ok: true });
    expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200);
    expect(plain(await hearth.openDocument("reference"))).toMatchObject({
      settings: { referenceDocsEnabled: true },
    });
    expect(app.fake.opened).toEqual([`http://127.0.0.1:${port}/docs`]);
    expect(plain(await hearth.localApi.revokeToken("gone"))).toMatchObject({ tokens: [] });
    expect(plain(await hearth.localApi.revokeAllTokens())).toMatchObject({ tokens: [] });
    expect(await hearth.secrets.level()).toBe("protected");
    expect(await hearth.secrets.set("a", "b")).toBe("protected");
    expect(await hearth.secrets.get("a")).toBe("b");
    await hearth.secrets.remove("a");
    expect(await hearth.secrets.get("a")).toBeNull();
    expect(await hearth.autoStart.set(true)).toBe(true);
    expect(await hearth.autoStart.get()).toBe(true);
  });

  it("uses the device's database", async () => {
    const { hearth } = connect();
    await hearth.store.saveRooms([aRoom()]);
    const file = new DatabaseSync(path.join(app.directory, "device.sqlite"), { readOnly: true });
    const rooms = (): unknown[] => file.prepare("SELECT id FROM rooms").all();
    expect(plain(rooms())).toEqual([{ id: ROOM }]);
    expect(plain(await hearth.store.room(ROOM))).toEqual(aRoom());
    await hearth.store.eraseAll();
    expect(rooms()).toEqual([]);
    file.close();
  });

  it("rejects with code and sentence only", async () => {
    const { hearth } = connect();
    const refused = await hearth.secrets.get("not allowed").then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(plain(refused)).toEqual({
      name: "BridgeFailure",
      code: "INVALID_REQUEST",
      message: "The request is not valid",
    });
  });

  it("reports when the app does not answer", async () => {
    const { hearth } = runPreload(script, () =>
      Promise.reject(new Error("Error invoking remote method: secret")),
    );
    await expect(hearth.localApi.view()).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: "The app does not answer",
    });
  });

  it("passes events without Electron's event object, until unsubscribed", () => {
    const world = connect();
    const seen: unknown[][] = [];
    const stop = world.hearth.localApi.onChange((...args: [LocalApiView]) => seen.push(args));
    world.send(EVENT.localApiChanged, { settings: {} });
    expect(plain(seen)).toEqual([[{ settings: {} }]]);
    stop();
    world.send(EVENT.localApiChanged, {});
    expect(seen.length).toBe(1);
    expect(world.listening()).toBe(0);
  });

  it("delivers a link once, whether it came before the subscription or after", async () => {
    electronApp.emit("second-instance", {}, ["hearth", "hearth://local-api"], "/");
    const world = connect();
    const links: DeepLink[] = [];
    world.hearth.links.onOpen((link) => links.push(link));
    await until(() => links.length === 1);
    electronApp.emit("second-instance", {}, ["hearth", "hearth:"], "/");
    world.send(EVENT.linkOpened);
    await until(() => links.length === 2);
    const invite = "hearth://invite/aB_9-z?server=https%3A%2F%2Fchat.example%3A8443";
    electronApp.emit("open-url", preventable({}), invite);
    world.send(EVENT.linkOpened);
    await until(() => links.length === 3);
    expect(plain(links)).toEqual([
      { page: "local-api" },
      { page: "home" },
      { page: "invite", signalServerUrl: "https://chat.example:8443", inviteId: "aB_9-z" },
    ]);
  });

  it("passes the target of a clicked notification", async () => {
    const world = connect();
    const target = { signalServerUrl: "https://chat.example", roomId: "r", messageId: "m" };
    const targets: NotificationTarget[] = [];
    world.hearth.notifications.onActivate((activated) => targets.push(activated));
    await world.hearth.notifications.show({ title: "Ada", body: "Tea?", target });
    app.fake.notifications[0]?.emit("click");
    world.send(EVENT.activated);
    await until(() => targets.length > 0);
    expect(plain(targets)).toEqual([target]);
  });

  it("uses every listed channel and no other", () => {
    for (const name of [...Object.values(CALL), ...Object.values(EVENT)])
      expect(script).toContain(`"${name}"`);
  });
});
