import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { manualClock, recordedLog } from "@hearth/runtime/testing";
import { DEFAULT_LOCAL_API_SETTINGS } from "@hearth/device";
import { createSettingsFile } from "./settings-file.ts";

const CHANGED = { ...DEFAULT_LOCAL_API_SETTINGS, enabled: true, port: 5_000 };

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hearth-settings-"));
  file = path.join(folder, "local-api.json");
});
afterEach(() => rm(folder, { recursive: true }));

const log = recordedLog();
const open = () => createSettingsFile({ file, log: log.log, clock: manualClock(1_000) });
const stored = async (): Promise<unknown> => JSON.parse(await readFile(file, "utf8"));

describe("settings file", () => {
  it("LA8 without a file the defaults apply, and nothing is written", async () => {
    expect(await open().load()).toEqual({ settings: DEFAULT_LOCAL_API_SETTINGS, issues: [], trouble: null });
    expect(await readdir(folder)).toEqual([]);
  });

  it("LA8 saved settings survive a restart, complete and readable by their owner only", async () => {
    file = path.join(folder, "new", "folder", "local-api.json");
    const settings = open();
    await settings.save(DEFAULT_LOCAL_API_SETTINGS);
    await settings.save(CHANGED);
    expect(await open().load()).toEqual({ settings: CHANGED, issues: [], trouble: null });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(path.dirname(file))).toEqual(["local-api.json"]);
  });

  it("LA8 the last of concurrent saves wins, and a reader never sees half a file", async () => {
    const settings = open();
    await settings.save(CHANGED);
    const saves = Array.from({ length: 30 }, (_, index) =>
      settings.save({ ...CHANGED, port: 6_000 + index }),
    );
    const reads = saves.flatMap((save) => [stored(), save.then(stored)]);
    for (const found of await Promise.all(reads)) expect(found).toMatchObject({ enabled: true });
    expect(await stored()).toMatchObject({ port: 6_029 });
    expect(await readdir(folder)).toEqual(["local-api.json"]);
  });

  it("LA8 C10 unknown settings are named in a warning and kept", async () => {
    await writeFile(file, '\uFEFF{"port": 5000, "enabled": true, "colour": "red", "__proto__": {"a": 1}}');
    const settings = open();
    expect(await settings.load()).toEqual({ settings: CHANGED, issues: [], trouble: null });
    expect(log.records().at(-1)).toMatchObject({ names: ["colour", "__proto__"] });
    await settings.save({ ...CHANGED, port: 5_001 });
    expect(await readFile(file, "utf8")).toMatch(/"colour": "red"[^]*"__proto__": \{[^]*"port": 5001/);
  });

  it("LA8 C11 wrong types are named, the server stays off, and the file survives the next save", async () => {
    const text = '{"enabled": "true", "port": 5000, "exposeOnLan": "false"}';
    await writeFile(file, text);
    const settings = open();
    const loaded = await settings.load();
    expect(loaded.settings).toEqual({ ...DEFAULT_LOCAL_API_SETTINGS, port: 5_000 });
    expect(loaded.issues.map(({ path: name }) => name)).toEqual(["enabled", "exposeOnLan"]);
    expect(loaded.trouble).toMatch(/local-api\.json.*enabled: This must be true or false\. exposeOnLan: /);
    expect(await readFile(file, "utf8")).toBe(text);
    await settings.save(CHANGED);
    await settings.save(CHANGED);
    expect(await readFile(`${file}.broken-1000`, "utf8")).toBe(text);
    expect(await readdir(folder)).toHaveLength(2);
  });

  it.each(["", "{", "[]", "null", '"on"', "\u0000\u0001", '{"port": 5000}}'])(
    "LA8 C6 a damaged file is put aside and reported: %p",
    async (text) => {
      await writeFile(file, text);
      const loaded = await open().load();
      expect(loaded.settings).toEqual(DEFAULT_LOCAL_API_SETTINGS);
      expect(loaded.trouble).toMatch(
        /local-api\.json is damaged; it was kept as local-api\.json\.broken-1000/,
      );
      expect(await readFile(`${file}.broken-1000`, "utf8")).toBe(text);
      expect((await open().load()).trouble).toBeNull();
    },
  );

  it("LA8 an unreadable file is reported without its path, and moved aside before a save", async () => {
    await mkdir(file);
    const settings = open();
    const loaded = await settings.load();
    expect(loaded).toMatchObject({ settings: DEFAULT_LOCAL_API_SETTINGS, issues: [] });
    expect(loaded.trouble).toBe("The settings file local-api.json cannot be read (EISDIR).");
    await settings.save(CHANGED);
    expect(await stored()).toEqual(CHANGED);
    expect((await stat(`${file}.broken-1000`)).isDirectory()).toBe(true);
  });

  it("LA8 a failed save is reported, and the old content stays", async () => {
    const settings = open();
    await settings.save(CHANGED);
    const elsewhere = path.join(file, "below-a-file.json");
    const lost = createSettingsFile({ file: elsewhere, log: log.log });
    await expect(lost.save(CHANGED)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringMatching(/^The settings could not be saved \(E[A-Z]+\)\.$/),
    });
    expect(await stored()).toEqual(CHANGED);
    await chmod(file, 0o644);
    await settings.save(CHANGED);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});
