import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, describe, expect, it } from "@jest/globals";
import { CALL, EVENT } from "@hearth/bridge";
import { CALLS } from "@hearth/bridge";
import { freePort } from "@hearth/runtime/testing/servers";
import { until } from "@hearth/runtime/testing/until";
import { app as electronApp } from "./testing/electron.ts";
import { forget, loadMain, startApp } from "./testing/app.ts";
import type { AppSetup, RunningApp } from "./testing/app.ts";

const running: RunningApp[] = [];

async function started(setup: AppSetup = {}): Promise<RunningApp> {
  const app = await startApp(setup);
  running.push(app);
  return app;
}

afterEach(async () => {
  for (const app of running) await app.quit();
  for (const { directory } of running.splice(0)) await forget(directory);
});

const item = (app: RunningApp, id: string) => {
  const found = app.fake.tray?.menu.find((entry) => entry.id === id);
  if (!found) throw new Error(`the tray has no ${id}`);
  return found;
};

/** A menu click without a window. */
const click = (entry: { click?: unknown }): void => {
  (entry.click as () => void)();
};

describe("the start of the desktop app", () => {
  it("shows its page and answers it", async () => {
    const app = await started();
    expect(app.window.visible).toBe(true);
    expect(app.window.loaded?.url).toBe("app://hearth/");
    expect(await app.call(CALL.viewLocalApi)).toMatchObject({ state: { status: "stopped" }, tokens: [] });
  });

  it("S16 sandboxes every page and has a scheme of its own before Electron is ready", async () => {
    const { fake, directory } = await loadMain();
    expect(fake.calls).toContain("sandbox");
    expect(fake.schemes).toEqual([
      { scheme: "app", privileges: { standard: true, secure: true, supportFetchAPI: true } },
    ]);
    expect(fake.windows).toEqual([]);
    electronApp.askToQuit();
    await until(() => fake.exits.length > 0);
    await forget(directory);
  });

  it("S16 quits at once if another instance runs, without touching anything", async () => {
    const { fake, directory } = await loadMain({ hasInstance: true });
    expect(fake.exits).toEqual([0]);
    expect(fake.windows).toEqual([]);
    await expect(readFile(path.join(directory, "device.sqlite"))).rejects.toThrow("ENOENT");
    await forget(directory);
  });

  it("reports why it cannot start, and quits", async () => {
    const { fake, directory } = await loadMain({ damaged: true });
    await until(() => fake.exits.length > 0);
    expect(fake.exits).toEqual([1]);
    expect(fake.errors[0]?.title).toBe("Hearth could not start");
    expect(fake.windows).toEqual([]);
    await forget(directory);
  });

  it("shows its window on a second start, and passes its link on once", async () => {
    const app = await started();
    const { focused } = app.window;
    electronApp.emit("second-instance", {}, ["hearth", "--flag", "hearth://local-api"], "/");
    expect(app.window.focused).toBe(focused + 1);
    expect(app.window.webContents.sent).toContainEqual({ channel: EVENT.linkOpened, payload: undefined });
    expect(await app.call(CALL.takeLinks)).toEqual([{ page: "local-api" }]);
    expect(await app.call(CALL.takeLinks)).toEqual([]);
  });

  it("drops an unknown link, and still shows its window", async () => {
    const app = await started();
    const { focused } = app.window;
    electronApp.emit(
      "second-instance",
      {},
      ["hearth", "hearth://local-api/../../etc", "--remote-debugging-port=1"],
      "/",
    );
    expect(app.window.focused).toBe(focused + 1);
    expect(await app.call(CALL.takeLinks)).toEqual([]);
  });

  it("keeps the link that started it until the page asks", async () => {
    const invite = "hearth://invite/abc-123?server=https%3A%2F%2FChat.Example%2F";
    const app = await started({ argv: [invite] });
    expect(await app.call(CALL.takeLinks)).toEqual([
      { page: "invite", signalServerUrl: "https://chat.example", inviteId: "abc-123" },
    ]);
  });

  it("stays in the background on login, but not without a tray", async () => {
    const hidden = await started({ argv: ["--hidden"] });
    expect(hidden.window.visible).toBe(false);
    hidden.fake.tray?.emit("click");
    expect(hidden.window.visible).toBe(true);
    await hidden.quit();
    const untrayed = await started({ argv: ["--hidden"], hasTray: false });
    expect(untrayed.window.visible).toBe(true);
  });
});

describe("the end of the desktop app", () => {
  it("hides a closed window if there is a tray, and quits otherwise", async () => {
    const app = await started();
    expect(app.window.userCloses()).toBe(true);
    expect(app.window.visible).toBe(false);
    expect(app.fake.exits).toEqual([]);
    await app.quit();
    const untrayed = await started({ hasTray: false });
    untrayed.window.userCloses();
    await until(() => untrayed.fake.exits.length > 0);
    expect(untrayed.fake.exits).toEqual([0]);
  });

  it("S16 stops in order: page, local server and its tokens, stores, process", async () => {
    const port = await freePort();
    const app = await started({ settings: { enabled: true, port } });
    expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200);
    expect(electronApp.askToQuit()).toBe(true);
    expect(app.fake.exits).toEqual([]);
    await until(() => app.fake.exits.length > 0);
    expect(app.fake.exits).toEqual([0]);
    expect(app.fake.calls.slice(-2)).toEqual(["tray removed", "window destroyed"]);
    expect(app.fake.handlers.size).toBe(0);
    await expect(fetch(`http://127.0.0.1:${port}/api/health`)).rejects.toThrow();
    const log = await readFile(path.join(app.directory, "logs", "hearth.log"), "utf8");
    expect(log).not.toContain("did not stop cleanly");
  });

  it("quits once, however often it is asked", async () => {
    const app = await started();
    for (let ask = 0; ask < 5; ask += 1) expect(electronApp.askToQuit()).toBe(true);
    await until(() => app.fake.exits.length > 0);
    await app.quit();
    expect(app.fake.exits).toEqual([0]);
  });

  it("remembers its window's bounds", async () => {
    const app = await started();
    app.window.bounds = { x: 100, y: 120, width: 900, height: 700 };
    app.window.maximized = true;
    await app.quit();
    const again = await started({ keep: app.directory });
    expect(again.window.options).toMatchObject({ x: 100, y: 120, width: 900, height: 700 });
    expect(again.window.maximized).toBe(true);
  });
});

describe("the local API in the desktop app", () => {
  it("listens when the page enables it, and notifies the page", async () => {
    const port = await freePort();
    const app = await started();
    expect(await app.call(CALL.changeLocalApi, { enabled: true, port })).toMatchObject({ ok: true });
    const health = await fetch(`http://127.0.0.1:${port}/api/health`);
    expect(await health.json()).toMatchObject({ status: "ok", exposeOnLan: false });
    expect(app.window.webContents.sent.at(-1)).toMatchObject({
      channel: EVENT.localApiChanged,
      payload: { settings: { port }, state: { status: "listening" } },
    });
    expect(item(app, "status").label).toBe(`Local API: 127.0.0.1:${port}`);
  });

  it("reports problems per setting, and changes nothing", async () => {
    const app = await started();
    const change = await app.call(CALL.changeLocalApi, { port: 70_000, enabled: true });
    expect(change).toMatchObject({ ok: false, issues: [{ path: "port" }] });
    expect(await app.call(CALL.viewLocalApi)).toMatchObject({ settings: { enabled: false, port: 17_878 } });
  });

  it.each([
    ["open-documentation", "/static-docs", { staticDocsEnabled: true, referenceDocsEnabled: false }],
    ["open-reference", "/docs", { staticDocsEnabled: false, referenceDocsEnabled: true }],
  ])("enables what %s needs and opens the browser there", async (id, address, settings) => {
    const port = await freePort();
    const app = await started({ settings: { port } });
    click(item(app, id));
    await until(() => app.fake.opened.length > 0);
    expect(app.fake.opened).toEqual([`http://127.0.0.1:${port}${address}`]);
    expect(await app.call(CALL.viewLocalApi)).toMatchObject({ settings: { enabled: true, ...settings } });
    expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200);
  });

  it("opens a document for the page, and returns the settings that this changed", async () => {
    const port = await freePort();
    const app = await started({ settings: { port } });
    expect(await app.call(CALL.openDocument, "reference")).toMatchObject({
      settings: { enabled: true, referenceDocsEnabled: true },
    });
    expect(app.fake.opened).toEqual([`http://127.0.0.1:${port}/docs`]);
  });

  it("reports a document that cannot be opened, and opens no browser", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const app = await started({ settings: { port } });
    const answer = await app.invoke(CALL.openDocument, "static-docs");
    expect(answer).toMatchObject({ ok: false, error: { code: "UNAVAILABLE" } });
    click(item(app, "open-documentation"));
    await until(() => app.fake.errors.length > 0);
    expect(app.fake.errors[0]).toMatchObject({ title: "Could not open the document" });
    expect(app.fake.errors[0]?.text).toContain(String(port));
    expect(app.fake.opened).toEqual([]);
    expect(app.fake.exits).toEqual([]);
    other.close();
  });
});

describe("other calls of the page", () => {
  it("are exactly the listed ones", async () => {
    const app = await started();
    expect([...app.fake.handlers.keys()].sort()).toEqual(Object.keys(CALLS).sort());
    await expect(app.invoke("shell:open", "https://hearth.test")).rejects.toThrow("No handler");
  });

  it("follow a clicked notification", async () => {
    const app = await started();
    const target = { signalServerUrl: "https://chat.example", roomId: "r1", messageId: "m1" };
    await app.call(CALL.showNotification, { title: "Ada", body: "Tea?", target });
    app.window.hide();
    app.fake.notifications[0]?.emit("click");
    expect(app.window.visible).toBe(true);
    expect(app.window.webContents.sent.at(-1)?.channel).toBe(EVENT.activated);
    expect(await app.call(CALL.takeActivations)).toEqual([target]);
  });

  it("start the app on login when enabled, and show that in the tray", async () => {
    const app = await started();
    expect(await app.call(CALL.getAutoStart)).toBe(false);
    click(item(app, "auto-start"));
    await until(() => item(app, "auto-start").checked === true);
    expect(await app.call(CALL.getAutoStart)).toBe(true);
    const entry = await readFile(path.join(app.directory, "config", "autostart", "hearth.desktop"), "utf8");
    expect(entry).toContain('"--hidden"');
    expect(await app.call(CALL.setAutoStart, false)).toBe(false);
  });

  it("keep a secret over a restart, encrypted", async () => {
    const app = await started();
    expect(
      await app.call(CALL.setSecret, { name: "token:https://chat.example", value: "marker-secret" }),
    ).toBe("protected");
    await app.quit();
    const again = await started({ keep: app.directory });
    expect(await again.call(CALL.getSecret, "token:https://chat.example")).toBe("marker-secret");
    const file = await readFile(path.join(app.directory, "secrets.json"), "utf8");
    expect(file).not.toContain("marker-secret");
    expect(file).not.toContain(Buffer.from("marker-secret").toString("base64"));
    const log = await readFile(path.join(app.directory, "logs", "hearth.log"), "utf8");
    expect(log).not.toContain("marker-secret");
  });

  it.each(["basic_text", "unavailable"] as const)(
    "S16 counts %s as no protection: the secret lives for the session, and the level says so",
    async (encryption) => {
      const app = await started({ encryption });
      expect(await app.call(CALL.secretLevel)).toBe("session");
      expect(await app.call(CALL.setSecret, { name: "provision", value: "marker-secret" })).toBe("session");
      expect(await app.call(CALL.getSecret, "provision")).toBe("marker-secret");
      await app.quit();
      await expect(readFile(path.join(app.directory, "secrets.json"))).rejects.toThrow("ENOENT");
      const again = await started({ encryption, keep: app.directory });
      expect(await again.call(CALL.getSecret, "provision")).toBeNull();
    },
  );
});
