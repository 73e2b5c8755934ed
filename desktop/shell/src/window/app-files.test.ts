import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createAppFiles } from "./app-files.ts";

let root: string;
let serve: (url: string, method?: string) => Promise<Response>;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "hearth-files-"));
  const page = path.join(root, "page");
  await mkdir(path.join(page, "assets"), { recursive: true });
  await writeFile(path.join(root, "secret.json"), "{}");
  await writeFile(path.join(page, "index.html"), "<!doctype html>");
  await writeFile(path.join(page, "assets/app.js"), "1;");
  await writeFile(path.join(page, "assets/notes.txt"), "not a kind that is served");
  await writeFile(path.join(page, ".made-from"), "x");
  const files = createAppFiles(page);
  serve = (url, method = "GET") => files({ url, method });
});

afterAll(() => rm(root, { recursive: true, force: true }));

describe("the window's own files", () => {
  it("have their types and the window's policy", async () => {
    const script = await serve("app://hearth/assets/app.js?v=1#x");
    expect(script.status).toBe(200);
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(script.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await script.text()).toBe("1;");
  });

  it.each(["app://hearth", "app://hearth/", "app://hearth/settings/local-api", "app://hearth/index.html"])(
    "answer %s with the page",
    async (url) => {
      expect(await (await serve(url)).text()).toBe("<!doctype html>");
    },
  );

  it.each([
    "app://hearth/../secret.json",
    "app://hearth/%2e%2e/secret.json",
    "app://hearth/..%2fsecret.json",
    "app://hearth/assets/..%2f..%2f..%2fsecret.json",
    "app://hearth/..%5csecret.json",
    "app://hearth/%00.js",
    "app://hearth/%E0%A4%A.js",
    "app://hearth//etc/passwd.json",
    "app://hearth/.made-from",
    "app://hearth/assets/notes.txt",
    "app://hearth/assets/missing.js",
    "app://hearth/assets.js",
  ])("S16 do not expose other files: %s", async (url) => {
    const response = await serve(url);
    expect([response.status, await response.text()]).toEqual([404, ""]);
  });

  it.each(["app://evil/index.html", "https://hearth/index.html", "file:///etc/passwd", "app://hearth@evil/"])(
    "S16 are not served to %s",
    async (url) => {
      expect((await serve(url)).status).toBe(403);
    },
  );

  it("are read-only", async () => {
    expect((await serve("app://hearth/", "POST")).status).toBe(405);
    const head = await serve("app://hearth/", "HEAD");
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });
});
