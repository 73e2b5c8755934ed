import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { CALL } from "@hearth/bridge";
import { forget, startApp } from "../testing/app.ts";
import type { RunningApp } from "../testing/app.ts";
import { app as electronApp, session } from "../testing/electron.ts";
import { preventable } from "../testing/events.ts";
import { FakeContents } from "../testing/window.ts";

let app: RunningApp;

beforeAll(async () => {
  app = await startApp();
});

afterAll(async () => {
  await app.quit();
  await forget(app.directory);
});

const OWN = "app://hearth/";

describe("the window", () => {
  it("S16 isolates its context, is sandboxed and has no Node, no webview and no developer tools", () => {
    expect(app.window.options.webPreferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      devTools: false,
    });
    expect(path.basename(app.window.options.webPreferences?.preload ?? "")).toBe("preload.cjs");
  });

  it("S16 comes from a scheme of its own with a strict content security policy", () => {
    expect(app.window.loaded?.url).toBe(OWN);
    const policy = app.window.loaded?.response.headers.get("content-security-policy") ?? "";
    const directives = policy.split("; ");
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "img-src 'self' data: blob:",
      "object-src 'none'",
      "frame-ancestors 'none'",
    ])
      expect(directives).toContain(directive);
    expect(directives.filter((directive) => /unsafe|https?:|wss?:/.test(directive))).toEqual([
      "style-src-attr 'unsafe-inline'",
      "connect-src 'self' https: http: wss: ws:",
    ]);
    expect(policy).not.toMatch(/\*|file:/);
    expect(app.window.loaded?.response.headers.get("x-content-type-options")).toBe("nosniff");
  });
});

describe("navigation", () => {
  const { opened } = { opened: () => app.fake.opened.splice(0) };

  it.each(["will-navigate", "will-frame-navigate", "will-redirect"] as const)(
    "S16 denies %s to everything but its own pages",
    (event) => {
      for (const url of [
        "https://hearth.test/",
        "http://127.0.0.1:17878/docs",
        "file:///etc/passwd",
        "data:text/html,x",
        "javascript:alert(1)",
        "app://evil/",
        "app://hearth.evil/",
        "devtools://devtools",
        "not a url",
      ])
        expect([url, app.window.webContents.navigate(event, url)]).toEqual([url, true]);
      expect(app.window.webContents.navigate(event, `${OWN}index.html`)).toBe(false);
      opened();
    },
  );

  it("S16 opens no window; a web link goes to the system's browser", () => {
    const { webContents } = app.window;
    expect(webContents.openWindow("https://hearth.test/a?b#c")).toEqual({ action: "deny" });
    expect(opened()).toEqual(["https://hearth.test/a?b#c"]);
    webContents.navigate("will-navigate", "http://hearth.test/");
    expect(opened()).toEqual(["http://hearth.test/"]);
  });

  it.each([
    "file:///etc/passwd",
    "smb://evil/share",
    "ms-msdt:/id",
    "javascript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "hearth://local-api",
    "https://paypal.test@evil.test/",
    "\\\\evil\\share",
    "",
  ])("S16 opens %j nowhere", (url) => {
    expect(app.window.webContents.openWindow(url)).toEqual({ action: "deny" });
    app.window.webContents.navigate("will-navigate", url);
    expect(opened()).toEqual([]);
  });

  it("S16 allows no webview and no downloads", () => {
    const attach = preventable({});
    app.window.webContents.emit("will-attach-webview", attach);
    expect(attach.defaultPrevented).toBe(true);
    const download = preventable({});
    session.defaultSession.emit("will-download", download);
    expect(download.defaultPrevented).toBe(true);
  });

  it("S16 covers every page of the process, whoever opened it", () => {
    const other = new FakeContents();
    electronApp.emit("web-contents-created", {}, other);
    expect(other.openWindow("https://hearth.test/")).toEqual({ action: "deny" });
    expect(other.navigate("will-navigate", "https://hearth.test/")).toBe(true);
    opened();
  });
});

describe("permissions", () => {
  const permissions = [
    "clipboard-read",
    "display-capture",
    "fullscreen",
    "geolocation",
    "hid",
    "idle-detection",
    "midi",
    "openExternal",
    "pointerLock",
    "serial",
    "storage-access",
    "unknown",
    "usb",
    "window-management",
    "local-fonts",
  ] as const;

  const ask = (permission: string, requestingUrl = OWN, details: object = {}): boolean => {
    let granted: boolean | undefined;
    app.fake.permissionRequest?.(
      app.window.webContents as never,
      permission as never,
      (answer) => (granted = answer),
      { requestingUrl, isMainFrame: true, ...details },
    );
    if (granted === undefined) throw new Error("no answer");
    return granted;
  };
  const check = (permission: string, origin = "app://hearth", details: object = {}): boolean | undefined =>
    app.fake.permissionCheck?.(null, permission as never, origin, { isMainFrame: true, ...details });

  it.each(permissions)("S16 denies %s", (permission) => {
    expect(ask(permission)).toBe(false);
    expect(check(permission)).toBe(false);
  });

  it("S16 allow our own page the microphone and notifications, and nobody else", () => {
    expect(ask("media", OWN, { mediaTypes: ["audio"] })).toBe(true);
    expect(check("media", "app://hearth/", { mediaType: "audio" })).toBe(true);
    expect(ask("notifications")).toBe(true);
    expect(check("notifications")).toBe(true);
    for (const origin of ["https://evil.test/", "app://evil/", "null", "", "file:///"]) {
      expect(ask("media", origin, { mediaTypes: ["audio"] })).toBe(false);
      expect(check("media", origin, { mediaType: "audio" })).toBe(false);
      expect(ask("notifications", origin)).toBe(false);
      expect(check("notifications", origin)).toBe(false);
    }
  });

  it("S16 allow no camera, no screen, no device, and nothing to frames", () => {
    expect(ask("media", OWN, { mediaTypes: ["audio", "video"] })).toBe(false);
    expect(ask("media", OWN, { mediaTypes: [] })).toBe(false);
    expect(check("media", "app://hearth", { mediaType: "video" })).toBe(false);
    expect(ask("notifications", OWN, { isMainFrame: false })).toBe(false);
    expect(app.fake.devicePermission?.({ deviceType: "usb" } as never)).toBe(false);
    let streams: object | null = { video: "none yet" };
    app.fake.displayMedia?.({} as never, (given) => (streams = given));
    expect(streams).toEqual({});
  });
});

describe("IPC senders", () => {
  it.each([
    ["another window", { contentsId: 9_999 }],
    ["a frame inside the page", { isMainFrame: false }],
    ["a page of another origin", { origin: "https://evil.test" }],
    ["a file", { origin: "file://" }],
    ["a page with an opaque origin", { origin: "null" }],
    ["a frame that is gone", { origin: "" }],
    ["another host of our scheme", { origin: "app://evil" }],
  ])("S16 refuses %s, on every channel", async (_who, frame) => {
    for (const channel of Object.values(CALL))
      expect(await app.invoke(channel, undefined, frame)).toEqual({
        ok: false,
        error: { code: "FORBIDDEN", message: "Not allowed" },
      });
  });

  it.each([
    [CALL.viewLocalApi, "unwanted"],
    [CALL.changeLocalApi, { port: "17878" }],
    [CALL.changeLocalApi, { unknown: true }],
    [CALL.changeLocalApi, { allowedSignalingServers: Array.from({ length: 101 }, () => "http://a") }],
    [CALL.changeLocalApi, null],
    [CALL.revokeToken, ""],
    [CALL.revokeToken, { toString: "x" }],
    [CALL.openDocument, "/etc/passwd"],
    [CALL.openDocument, ["reference"]],
    [CALL.getSecret, "a b"],
    [CALL.setSecret, { name: "a", value: "b".repeat(16_385) }],
    [CALL.setSecret, { name: "a".repeat(513), value: "b" }],
    [CALL.showNotification, { title: "a", body: "b", target: { roomId: "r" } }],
    [CALL.showNotification, { title: "a", body: "b", icon: "file:///etc/passwd" }],
    [CALL.setAutoStart, "true"],
  ])("S16 refuses malformed input of %s: %j", async (channel, input) => {
    const answer = await app.invoke(channel, input);
    expect(answer).toMatchObject({ ok: false, error: { code: "INVALID_REQUEST" } });
    expect(Object.keys(answer.ok ? {} : answer.error).sort()).toEqual(["code", "message"]);
  });

  it("S16 treats names like __proto__ as plain data", async () => {
    expect(await app.call(CALL.getSecret, "__proto__")).toBeNull();
    expect(await app.call(CALL.getSecret, "constructor")).toBeNull();
    await app.call(CALL.setSecret, { name: "__proto__", value: "kept" });
    expect(await app.call(CALL.getSecret, "__proto__")).toBe("kept");
    expect(({} as Record<string, unknown>)["kept"]).toBeUndefined();
  });

  it("S16 logs refusals without secrets", async () => {
    await app.invoke(CALL.setSecret, { name: "a", value: "marker-secret" }, { origin: "https://evil.test" });
    await app.invoke(CALL.setSecret, { name: "not allowed", value: "marker-secret" });
    const log = await readFile(path.join(app.directory, "logs", "hearth.log"), "utf8");
    expect(log).toContain("https://evil.test");
    expect(log).not.toContain("marker-secret");
  });
});
