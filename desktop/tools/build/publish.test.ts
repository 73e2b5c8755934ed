import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { publish } from "./publish.ts";
import { fingerprint } from "./sources.ts";
import { stamp, stampOf } from "./stamps.ts";

let folder: string;
const at = (...names: string[]): string => path.join(folder, ...names);

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "hearth-build-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const makeSite =
  (version: string, files = 40) =>
  async (into: string): Promise<void> => {
    mkdirSync(path.join(into, "site"));
    for (let file = 0; file < files; file += 1) {
      writeFileSync(path.join(into, "site", `${file}.txt`), version);
      await new Promise((resolve) => setImmediate(resolve));
    }
    writeFileSync(path.join(into, "program.mjs"), version);
  };

describe("build output", () => {
  it("replaces the previous output, with files that no longer exist", async () => {
    await publish(at("dist"), makeSite("old", 9));
    await publish(at("dist"), makeSite("new", 3));
    expect(readdirSync(at("dist")).sort()).toEqual(["program.mjs", "site"]);
    expect(readdirSync(at("dist", "site"))).toHaveLength(3);
    expect(readFileSync(at("dist", "program.mjs"), "utf8")).toBe("new");
  });

  it("stays if the next build fails", async () => {
    await publish(at("dist"), makeSite("old"));
    const failing = async (into: string): Promise<void> => {
      await makeSite("new")(into);
      throw new Error("half way");
    };
    await expect(publish(at("dist"), failing)).rejects.toThrow("half way");
    expect(readFileSync(at("dist", "site", "0.txt"), "utf8")).toBe("old");
    expect(readdirSync(at("dist")).sort()).toEqual(["program.mjs", "site"]);
  });

  it("is complete if several builds run at once", async () => {
    for (let round = 0; round < 20; round += 1) {
      const versions = ["a", "b", "c", "d"];
      await Promise.all(versions.map((version) => publish(at("dist"), makeSite(version))));
      const texts = readdirSync(at("dist", "site")).map((name) =>
        readFileSync(at("dist", "site", name), "utf8"),
      );
      expect(texts).toHaveLength(40);
      expect(new Set(texts).size).toBe(1);
      expect(readdirSync(at("dist")).sort()).toEqual(["program.mjs", "site"]);
    }
  });
});

describe("the source stamp", () => {
  it("is part of the output, a file or a folder, and removed with it", () => {
    writeFileSync(at("program.mjs"), "1;");
    mkdirSync(at("site"));
    for (const made of [at("program.mjs"), at("site")]) {
      expect(stampOf(made)).toBeUndefined();
      stamp(made, "a1b2");
      expect(stampOf(made)).toBe("a1b2");
      rmSync(made, { recursive: true });
      expect(stampOf(made)).toBeUndefined();
    }
  });

  it("is unknown for a truncated file", () => {
    writeFileSync(at("program.mjs"), "1;");
    stamp(at("program.mjs"), "a1b2");
    writeFileSync(at("program.mjs"), readFileSync(at("program.mjs"), "utf8").slice(0, -2));
    expect(stampOf(at("program.mjs"))).toBeUndefined();
  });

  it("depends on names and contents, but not on tests", () => {
    mkdirSync(at("src"));
    const now = (): string => fingerprint(folder, ["src", "absent"]);
    writeFileSync(at("src", "a.ts"), "1");
    const first = now();
    writeFileSync(at("src", "a.test.ts"), "1");
    expect(now()).toBe(first);
    writeFileSync(at("src", "a.ts"), "2");
    expect(now()).not.toBe(first);
    writeFileSync(at("src", "a.ts"), "1");
    expect(now()).toBe(first);
    writeFileSync(at("src", "b.ts"), "");
    expect(now()).not.toBe(first);
    expect(existsSync(at("absent"))).toBe(false);
  });
});
