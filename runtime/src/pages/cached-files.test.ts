import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { CachedFiles, MAX_CACHED_BYTES } from "./cached-files.ts";

describe("files kept in memory", () => {
  let root: string;
  let files: CachedFiles;
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), "hearth-kept-"));
    mkdirSync(path.join(root, "assets"));
    files = new CachedFiles(path.join(root, "assets"));
  });
  afterEach(() => rmSync(root, { recursive: true }));
  const write = (name: string, text: string | Buffer): void =>
    writeFileSync(path.join(root, "assets", name), text);
  const textOf = async (asked: string) => (await files.find(asked))?.bytes.toString() ?? null;

  it("AB2 are read once for all requests, concurrent ones included", async () => {
    write("a.js", "a");
    const found = await Promise.all(Array.from({ length: 10 }, () => files.find("/a.js")));
    expect(new Set(found.map((file) => file?.bytes)).size).toBe(1);
    expect(found[0]?.bytes.toString()).toBe("a");
  });

  it.each(["/a%2ejs", "//a.js", "/./a.js", "/x/../a.js"])("AB2 %s is the same file", async (asked) => {
    write("a.js", "a");
    expect(await textOf(asked)).toBe("a");
  });

  it("are read again after a change, and dropped when they are deleted", async () => {
    write("a.js", "old");
    const first = await files.find("/a.js");
    write("a.js", "new");
    utimesSync(path.join(root, "assets/a.js"), 1, 1);
    const second = await files.find("/a.js");
    expect([first?.bytes.toString(), second?.bytes.toString()]).toEqual(["old", "new"]);
    expect(first?.etag).not.toBe(second?.etag);
    rmSync(path.join(root, "assets/a.js"));
    expect(await textOf("/a.js")).toBeNull();
  });

  it("are within the limit, and 32 MiB in total", async () => {
    write("large.js", Buffer.alloc(MAX_CACHED_BYTES + 1));
    expect(await files.find("/large.js")).toBeNull();
    for (let number = 0; number < 9; number++) write(`${number}.js`, Buffer.alloc(MAX_CACHED_BYTES));
    for (let number = 0; number < 8; number++) expect(await files.find(`/${number}.js`)).not.toBeNull();
    expect(await files.find("/8.js")).toBeNull();
    rmSync(path.join(root, "assets/0.js"));
    await files.find("/0.js");
    expect(await files.find("/8.js")).not.toBeNull();
  });

  it.each([
    "/",
    "/nothing.js",
    "/.env",
    "/sub",
    "/sub/",
    "/../secret",
    "/%2e%2e/secret",
    "/..%5csecret",
    "/%00",
    "/%E0%A4%A",
    "/a.js/",
  ])("L21 %s is none of them", async (asked) => {
    write("a.js", "a");
    write(".env", "SECRET=1");
    mkdirSync(path.join(root, "assets/sub"));
    writeFileSync(path.join(root, "secret"), "x");
    expect(await files.find(asked)).toBeNull();
  });

  it("may be reached by a link in the folder", async () => {
    writeFileSync(path.join(root, "elsewhere"), "x");
    symlinkSync(path.join(root, "elsewhere"), path.join(root, "assets/link.js"));
    expect(await textOf("/link.js")).toBe("x");
  });
});
