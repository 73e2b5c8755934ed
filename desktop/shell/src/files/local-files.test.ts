import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { createAutoStartFile } from "./auto-start-file.ts";
import { jsonFile } from "./json-file.ts";
import { createLogFile } from "./log-file.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hearth-local-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe("an autostart desktop entry", () => {
  it("is added and removed, also twice", async () => {
    const autoStart = createAutoStartFile(folder, ["/opt/Hearth/hearth"]);
    expect(await autoStart.isEnabled()).toBe(false);
    await autoStart.set(true);
    await autoStart.set(true);
    expect(await autoStart.isEnabled()).toBe(true);
    await autoStart.set(false);
    await autoStart.set(false);
    expect(await autoStart.isEnabled()).toBe(false);
  });

  it("quotes its command, so that a folder's name runs nothing", async () => {
    const program = '/home/a "b"/$(touch x)/`id`/100%/back\\slash';
    await createAutoStartFile(folder, [program]).set(true);
    const entry = await readFile(path.join(folder, "autostart/hearth.desktop"), "utf8");
    const [, line = ""] = /^Exec=(.*)$/m.exec(entry) ?? [];
    expect(line).toBe('"/home/a \\\\"b\\\\"/\\\\$(touch x)/\\\\`id\\\\`/100%%/back\\\\\\\\slash" "--hidden"');
  });

  it("cannot contain injected lines", async () => {
    const autoStart = createAutoStartFile(folder, ["/opt/a\nExec=evil"]);
    await expect(autoStart.set(true)).rejects.toThrow("line break");
  });
});

describe("the log file", () => {
  it("is limited: the previous file stays, older ones are removed", async () => {
    const file = path.join(folder, "logs/hearth.log");
    const log = createLogFile(file, 100);
    for (let line = 0; line < 50; line += 1) log.write(`line ${line} ${"x".repeat(20)}\n`);
    expect((await stat(file)).size).toBeLessThan(160);
    expect((await stat(`${file}.1`)).size).toBeLessThan(160);
    expect(await readFile(file, "utf8")).toContain("line 49");
    expect((await stat(file)).mode & 0o077).toBe(0);
  });

  it("continues after a restart, and a failed write does not end the app", async () => {
    const file = path.join(folder, "hearth.log");
    await writeFile(file, "before\n");
    createLogFile(file).write("after\n");
    expect(await readFile(file, "utf8")).toBe("before\nafter\n");
    await mkdir(path.join(folder, "taken"));
    expect(() => {
      createLogFile(path.join(folder, "taken")).write("x\n");
    }).not.toThrow();
  });
});

describe("a small file", () => {
  it("keeps the last of many writes, and ignores malformed content", async () => {
    const file = path.join(folder, "value.json");
    const value = jsonFile(file, z.object({ n: z.number() }));
    expect(await value.read()).toBeUndefined();
    await Promise.all(Array.from({ length: 20 }, (_, n) => value.write({ n })));
    expect(await value.read()).toEqual({ n: 19 });
    for (const text of ["", "{", '{"n":"1"}', "[]"]) {
      await writeFile(file, text);
      expect(await value.read()).toBeUndefined();
    }
    await chmod(file, 0o600);
  });

  it("that cannot be read does not count as missing", async () => {
    await expect(jsonFile(folder, z.object({})).read()).rejects.toMatchObject({ code: "EISDIR" });
  });
});
