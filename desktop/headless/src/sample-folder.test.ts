import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sha256Hex, silentLog as log, StartError } from "@hearth/runtime";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { openDevice } from "@hearth/local-api";
import { openDeviceStore } from "@hearth/store/sqlite";
import { dataFolder } from "@hearth/local-api";
import type { DataFolder } from "@hearth/local-api";
import { ensureSample } from "./sample-folder.ts";

const NOW = Date.UTC(2026, 10, 20, 14);
let folder: string;
let data: DataFolder;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "hearth-sample-"));
  data = dataFolder(folder);
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("a sample in a data folder", () => {
  it("fills a missing folder, is found again, and leaves no temporary files", async () => {
    data = dataFolder(path.join(folder, "deeper", "still"));
    expect(await ensureSample(data, log, NOW)).toBe(true);
    expect(readdirSync(data.folder).sort()).toEqual(["device.sqlite", "files"]);
    expect(await ensureSample(data, log, NOW + 1)).toBe(false);
  });

  it("keeps the settings of an otherwise empty folder", async () => {
    writeFileSync(data.settings, "{}");
    expect(await ensureSample(data, log, NOW)).toBe(true);
    expect(readFileSync(data.settings, "utf8")).toBe("{}");
  });

  it("starts again after an interrupted run, and removes its leftovers", async () => {
    const ended = spawnSync(process.execPath, ["--version"]).pid;
    for (const pid of [ended, process.pid]) {
      mkdirSync(path.join(folder, `filling-${pid}`));
      writeFileSync(path.join(folder, `filling-${pid}`, "device.sqlite"), "half a database");
    }
    mkdirSync(data.files);
    writeFileSync(path.join(data.files, "a".repeat(64)), "half a file");
    expect(await ensureSample(data, log, NOW)).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(["device.sqlite", "files"]);
  });

  it("is written once if two processes race", async () => {
    const other = path.join(folder, `filling-${process.ppid}`);
    mkdirSync(other);
    const filling = ensureSample(data, log, NOW);
    writeFileSync(data.database, "of the faster one");
    expect(await filling).toBe(false);
    expect(readFileSync(data.database, "utf8")).toBe("of the faster one");
    expect(readdirSync(folder)).toContain(path.basename(other));
  });

  it("reports a folder that cannot be created", async () => {
    const file = path.join(folder, "file");
    writeFileSync(file, "");
    const refused = ensureSample(dataFolder(path.join(file, "below")), log, NOW);
    await expect(refused).rejects.toThrow(`${path.join(file, "below")} cannot be written (ENOTDIR)`);
  });

  it("refuses a folder with user data, and changes nothing", async () => {
    const own = openDeviceStore({ file: data.database, log });
    await own.writer.setMeta("app_currentUserId", "somebody");
    own.close();
    const before = readFileSync(data.database);
    await expect(ensureSample(data, log, NOW)).rejects.toThrow(StartError);
    expect(readFileSync(data.database)).toEqual(before);
  });

  it("refuses a folder with other files", async () => {
    writeFileSync(path.join(folder, "diary.txt"), "");
    await expect(ensureSample(data, log, NOW)).rejects.toThrow("already contains data");
    expect(readdirSync(folder)).toEqual(["diary.txt"]);
  });

  it("is found by the app with a window", async () => {
    await ensureSample(data, log, NOW);
    const device = openDevice({ directory: folder, built: folder, version: "0", log });
    expect(await device.store.reader.profile()).toMatchObject({ username: "nora" });
    await device.localApi.stop();
    device.close();
  });

  it("contains the local files, readable by their owner only", async () => {
    await ensureSample(data, log, NOW);
    const store = openDeviceStore({ file: data.database, log });
    const local = (await store.reader.attachments()).filter(({ isLocal }) => isLocal);
    store.close();
    expect(local.length).toBeGreaterThan(3);
    for (const { hash, size } of local) {
      const file = path.join(data.files, hash);
      const text = readFileSync(file, "utf8");
      expect([sha256Hex(text), Buffer.byteLength(text)]).toEqual([hash, size]);
      expect(statSync(file).mode & 0o077).toBe(0);
    }
  });
});
