import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { _electron } from "playwright-core";
import type { ElectronApplication, Page } from "playwright-core";
import { freePort } from "@hearth/runtime/testing/servers";
import { findElectron } from "../../src/window/electron-program.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const executablePath = findElectron();
/** Skipped tests are listed as not run under these names; "optional: " lets a machine without the binary pass. */
const inElectron = executablePath === undefined ? describe.skip : describe;
const title = "the desktop app in Electron itself";
const name = executablePath === undefined ? `optional: ${title} (needs Electron's program)` : title;

let directory: string;
let port: number;
let app: ElectronApplication;
let page: Page;

inElectron(name, () => {
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "hearth-electron-"));
    port = await freePort();
    await writeFile(path.join(directory, "local-api.json"), JSON.stringify({ enabled: true, port }));
    await promisify(execFile)(process.execPath, [path.join(root, "desktop/tools/build/main.ts")], {
      cwd: root,
    });
    app = await _electron.launch({
      ...(executablePath !== undefined && { executablePath }),
      args: [path.join(root, "desktop/dist/main.mjs"), `--user-data-dir=${directory}`],
      timeout: 30_000,
    });
    page = await app.firstWindow();
  }, 180_000);

  afterAll(async () => {
    await app.close().catch(() => undefined);
    await rm(directory, { recursive: true, force: true });
  });

  it("S16 shows its page from its own scheme, with the bridge and without Node", async () => {
    expect(page.url()).toMatch(/^app:\/\/hearth\//);
    expect(await page.evaluate("typeof window.hearth.localApi.view")).toBe("function");
    expect(await page.evaluate("[typeof require, typeof process, typeof module]")).toEqual([
      "undefined",
      "undefined",
      "undefined",
    ]);
  });

  it("S16 runs the page under its policy: no inline script", async () => {
    const ran = page.evaluate(`new Promise((resolve) => {
      const script = document.createElement("script");
      script.textContent = "globalThis.ran = true";
      document.head.append(script);
      setTimeout(() => resolve(globalThis.ran === true), 100);
    })`);
    expect(await ran).toBe(false);
  });

  it("S16 stays on its page when asked to navigate away", async () => {
    await page.evaluate(`location.assign("file:///etc/passwd")`).catch(() => undefined);
    await page.evaluate(`void window.open("file:///etc/passwd")`);
    expect(page.url()).toMatch(/^app:\/\/hearth\//);
    expect(app.windows().length).toBe(1);
  });

  it("serves the local API and reports it to the page", async () => {
    expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200);
    const status = await page.evaluate("window.hearth.localApi.view().then(({ state }) => state.status)");
    expect(status).toBe("listening");
  });

  it("reports how well this machine keeps secrets", async () => {
    expect(["protected", "session"]).toContain(await page.evaluate("window.hearth.secrets.level()"));
  });

  it("frees its port when it quits", async () => {
    const closed = app.waitForEvent("close");
    await app.evaluate(({ app: electron }) => {
      electron.quit();
    });
    await closed;
    await expect(fetch(`http://127.0.0.1:${port}/api/health`)).rejects.toThrow();
  });
});
