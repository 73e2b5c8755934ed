import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import { createMemoryLimiters, silentLog, systemClock } from "@hearth/runtime";
import { createLocalAccess } from "../access/create-local-access.ts";
import type { LocalAccess } from "../access/local-access.ts";
import type { LocalApiSettings } from "@hearth/device";
import { freePort } from "@hearth/runtime/testing/servers";
import { createSettingsFile } from "../settings/settings-file.ts";
import { createMemorySettings } from "../settings/settings-store.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import { createLocalApiService } from "./local-api-service.ts";
import type { LocalApiService } from "./local-api-service.ts";
import { createLocalServer } from "./create-local-server.ts";
import { takePort } from "./testing/ports.ts";

let folder: string;
let file: string;
let access: LocalAccess;
let service: LocalApiService;

function createService(settings: SettingsStore): LocalApiService {
  access = createLocalAccess({
    allowedServers: () => service.view().settings.allowedSignalingServers,
    accounts: async () => [],
    validate: async ({ username }) => ({ id: "id", username, displayName: username }),
    clock: systemClock,
    limiters: createMemoryLimiters(),
    log: silentLog,
  });
  const server = createLocalServer({
    access,
    createApi: () => (_request, response) => void response.end("ok"),
    log: silentLog,
  });
  return createLocalApiService({ settings, server, log: silentLog });
}
const fromFile = (): LocalApiService => createService(createSettingsFile({ file, log: silentLog }));
const stored = async (): Promise<unknown> => JSON.parse(await readFile(file, "utf8"));

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hearth-local-api-"));
  file = path.join(folder, "local-api.json");
  service = fromFile();
});
afterEach(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

describe("the local API service", () => {
  it("LA8 is off on the first start and writes nothing", async () => {
    await service.start();
    expect(service.view()).toMatchObject({
      settings: { enabled: false, port: 17_878, exposeOnLan: false },
      state: { status: "stopped", urls: [], lastError: null },
      tokens: [],
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it("LA8 a change is checked, saved and applied at once, and survives a restart", async () => {
    await service.start();
    const port = await freePort();
    const changed = await service.change({
      enabled: true,
      port,
      allowedSignalingServers: ["HTTP://OK.Example:80/"],
    });
    expect(changed).toMatchObject({ ok: true, view: { state: { urls: [`http://127.0.0.1:${port}`] } } });
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("ok");
    expect(await stored()).toMatchObject({
      enabled: true,
      port,
      allowedSignalingServers: ["http://ok.example"],
    });
    await service.stop();
    service = fromFile();
    await service.start();
    expect(service.view().state).toMatchObject({ status: "listening", urls: [`http://127.0.0.1:${port}`] });
  });

  it.each<unknown>([
    { port: 70_000, enabled: true },
    { enabled: "true" },
    { allowedSignalingServers: ["http://ok.example", "ftp://x"] },
    { port: 5_000, colour: "red" },
    { enabled: undefined },
    null,
    [],
  ])("LA8 a refused change has no effect: %j", async (change) => {
    await service.start();
    await service.change({ allowedSignalingServers: ["http://a.example"] });
    const before = { view: service.view(), stored: await stored() };
    let told = 0;
    service.onChange(() => void (told += 1));
    expect(await service.change(change)).toMatchObject({
      ok: false,
      issues: [{ message: expect.any(String) }],
    });
    expect({ view: service.view(), stored: await stored() }).toEqual(before);
    expect(told).toBe(0);
  });

  it("LA8 a change that cannot be saved is refused and has no effect", async () => {
    const memory = createMemorySettings();
    service = createService({
      ...memory,
      save: () =>
        Promise.reject(new ProblemError("UNAVAILABLE", "The settings could not be saved (ENOSPC).")),
    });
    await service.start();
    expect(await service.change({ enabled: true })).toEqual({
      ok: false,
      issues: [{ path: "", message: "The settings could not be saved (ENOSPC)." }],
    });
    expect(service.view()).toMatchObject({ settings: { enabled: false }, state: { status: "stopped" } });
  });

  it("LA8 C8 with a port in use the settings are saved, the view shows the problem, and the next change fixes it", async () => {
    await service.start();
    const { port, free } = await takePort();
    expect(await service.change({ enabled: true, port })).toMatchObject({
      ok: true,
      view: { settings: { enabled: true, port }, state: { status: "failed", urls: [] } },
    });
    expect(service.view().state.lastError).toMatch(new RegExp(`^Port ${port} .*in use.*another port`));
    await free();
    await service.change({});
    expect(service.view().state).toMatchObject({ status: "listening", lastError: null });
  });

  it("LA8 concurrent changes are applied in order", async () => {
    await service.start();
    const port = await freePort();
    const changes: Partial<LocalApiSettings>[] = [
      { port },
      { referenceDocsEnabled: true },
      { enabled: true },
      { staticDocsEnabled: true },
      { enabled: false },
      { enabled: true },
    ];
    await Promise.all(changes.map((change) => service.change(change)));
    expect(await stored()).toMatchObject({
      port,
      enabled: true,
      referenceDocsEnabled: true,
      staticDocsEnabled: true,
    });
    expect(service.view().state.urls).toEqual([`http://127.0.0.1:${port}`]);
  });

  it("LA8 C11 malformed stored settings disable it, and are named until they are changed", async () => {
    await writeFile(file, '{"enabled": true, "exposeOnLan": "false"}');
    const loaded = await service.start();
    expect(loaded.issues.map(({ path: name }) => name)).toEqual(["exposeOnLan"]);
    expect(service.view().state).toMatchObject({
      status: "stopped",
      lastError: expect.stringContaining("exposeOnLan: This must be true or false."),
    });
    await service.change({ port: await freePort() });
    expect(service.view().state).toEqual({ status: "stopped", urls: [], lastError: null });
  });

  it("LA8 S9 tokens are listed, revoked by id, and gone after a stop", async () => {
    await service.start();
    await service.change({
      enabled: true,
      port: await freePort(),
      allowedSignalingServers: ["http://ok.example"],
    });
    const body = { username: "ada", password: "p", serverUrl: "http://ok.example" };
    for (const last of [1, 2, 3])
      await access.login(body, { remoteAddress: `10.0.0.${last}`, userAgent: null });
    let told = 0;
    service.onChange(() => void (told += 1));
    const [newest] = service.view().tokens;
    expect(newest).toMatchObject({ remoteAddress: "10.0.0.3", username: "ada" });
    expect(service.revoke(newest?.id ?? "")).toBe(true);
    expect([service.view().tokens.length, told]).toEqual([2, 1]);
    service.revokeAll();
    expect([service.view().tokens, told]).toEqual([[], 2]);
  });

  it("LA8 X18 a stop wins over a change under way", async () => {
    let release: () => void = () => undefined;
    const saving = new Promise<void>((began) => {
      const memory = createMemorySettings();
      service = createService({
        ...memory,
        save: (settings) => {
          began();
          return new Promise<void>((resolve) => (release = resolve)).then(() => memory.save(settings));
        },
      });
    });
    await service.start();
    const changed = service.change({ enabled: true, port: await freePort() });
    await saving;
    const stopped = service.stop();
    release();
    await Promise.all([changed, stopped]);
    expect(service.view()).toMatchObject({
      settings: { enabled: true },
      state: { status: "stopped", urls: [] },
    });
  });

  it("LA8 X18 after a stop it stays down", async () => {
    await service.start();
    const port = await freePort();
    const changes = [service.change({ port }), service.change({ enabled: true })];
    await service.stop();
    await Promise.all(changes);
    expect(await service.change({ enabled: true })).toMatchObject({ ok: false });
    expect(service.view().state.status).toBe("stopped");
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
  });
});

describe("opening a document", () => {
  it.each([
    ["reference", "/docs", { enabled: true, referenceDocsEnabled: true, staticDocsEnabled: false }],
    ["static-docs", "/static-docs", { enabled: true, referenceDocsEnabled: false, staticDocsEnabled: true }],
  ] as const)(
    "LA8 %s turns on what it needs and no more, and leads to %s",
    async (document, page, settings) => {
      await service.start();
      const port = await freePort();
      await service.change({ port });
      expect(await service.openDocument(document)).toBe(`http://127.0.0.1:${port}${page}`);
      expect(service.view().settings).toMatchObject({ ...settings, exposeOnLan: false });
      expect(await stored()).toMatchObject(settings);
    },
  );

  it("LA8 on the LAN it still uses the loopback address, and opening again changes nothing", async () => {
    await service.start();
    const port = await freePort();
    await service.change({ port, exposeOnLan: true, enabled: true });
    const [first, second] = [
      await service.openDocument("reference"),
      await service.openDocument("reference"),
    ];
    expect([first, second]).toEqual([`http://127.0.0.1:${port}/docs`, first]);
    expect(service.view().settings.exposeOnLan).toBe(true);
  });

  it("LA8 C8 rejects with a sentence about why it cannot be served", async () => {
    await service.start();
    const { port, free } = await takePort();
    await service.change({ port });
    await expect(service.openDocument("reference")).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringMatching(/^Port \d+ .*is in use/),
    });
    await free();
  });
});
