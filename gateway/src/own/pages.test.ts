import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { exchange, statusesOf } from "../testing/raw-client.ts";
import { createWorld } from "../testing/world.ts";
import type { World } from "../testing/world.ts";

const HTML = { accept: "text/html,application/xhtml+xml" };

/** Everything that a page refers to. */
const referencesIn = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, to = ""]) => to);

describe("the pages", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  it.each(["/", "/docs", "/docs/"])("GW1 %s is a page that needs nothing from elsewhere", async (page) => {
    const answer = await world.fetch(page);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toContain("text/html");
    const html = await answer.text();
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
    for (const reference of referencesIn(html)) {
      expect(reference).toMatch(/^\/(?!\/)/);
      expect([reference, (await world.fetch(reference)).status]).toEqual([reference, 200]);
    }
  });

  it.each(["/", "/docs"])("S15 S18 %s is guarded by its headers, and asks for no TLS", async (page) => {
    const { headers } = await world.fetch(page);
    const policy = headers.get("content-security-policy") ?? "";
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toMatch(/https?:|upgrade-insecure-requests|script-src[^;]*unsafe/);
    expect(headers.get("strict-transport-security")).toBeNull();
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("x-powered-by")).toBeNull();
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  });

  it("GW1 the document is served, and not sent again to a client that has it", async () => {
    const first = await world.fetch("/api/openapi.json");
    expect(await first.json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) as unknown });
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[0-9a-f]+"$/);
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const again = await world.fetch("/api/openapi.json", { headers: { "if-none-match": known } });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    }
    expect((await world.fetch("/api/openapi.json", { headers: { "if-none-match": '"x"' } })).status).toBe(
      200,
    );
  });

  it.each([
    "/docs/assets/",
    "/docs/assets/../index.html",
    "/docs/assets/%2e%2e/landing/index.html",
    "/docs/assets/..%5c..%5cconfig.ts",
    "/docs/assets/swagger-ui.js",
    "/docs/assets/package.json",
    "/docs/assets/.gitkeep",
    "/docs/assets//etc/passwd",
    "/docs/nothing",
    "/landing/",
    "/landing/../config.ts",
    "/src/config.ts",
    "/index.html",
    "/favicon.ico",
    "/login",
  ])("L21 %s is nothing", async (target) => {
    const received = await exchange(
      world.port,
      `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect([400, 404]).toContain(statusesOf(received)[0]);
    expect(received).toContain("application/problem+json");
  });

  it.each(["/", "/docs", "/api/health", "/api/openapi.json"])("R28 POST on %s is 405", async (target) => {
    const answer = await world.fetch(target, { method: "POST" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("HEAD of a page has no body", async () => {
    for (const target of ["/", "/docs", "/api/health", "/api/openapi.json"]) {
      const answer = await world.fetch(target, { method: "HEAD" });
      expect([target, answer.status, await answer.text()]).toEqual([target, 200, ""]);
    }
  });
});

describe("the web client", () => {
  let world: World;
  let webRoot: string;
  beforeAll(async () => {
    // A dot in the path above, as in many a home directory, must not hide what is below.
    webRoot = path.join(mkdtempSync(path.join(tmpdir(), "hearth-client-")), ".client");
    mkdirSync(path.join(webRoot, "assets"), { recursive: true });
    writeFileSync(path.join(webRoot, "index.html"), "<title>the client</title>");
    writeFileSync(path.join(webRoot, "assets", "app-1a2b3c.js"), "export {};");
    writeFileSync(path.join(webRoot, "assets", "app-1a2b3c.js.br"), brotliCompressSync("export {}; // br"));
    writeFileSync(path.join(webRoot, "assets", "app-1a2b3c.js.gz"), gzipSync("export {}; // gz"));
    writeFileSync(path.join(webRoot, "icon.svg"), "<svg/>");
    writeFileSync(path.join(webRoot, ".env"), "SECRET=1");
    world = await createWorld({ webRoot });
  });
  afterAll(async () => {
    await world.close();
    rmSync(path.dirname(webRoot), { recursive: true });
  });

  it.each(["/", "/login", "/register?serverId=x", "/invite/q7Xk2mPa", "/servers/x/y"])(
    "GW1 %s is the client's entry page, which a browser asks for each time",
    async (target) => {
      const answer = await world.fetch(target, { headers: HTML });
      expect([answer.status, await answer.text()]).toEqual([200, "<title>the client</title>"]);
      expect(answer.headers.get("cache-control")).toBe("no-cache");
      expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    },
  );

  it("a browser keeps a file with a hash in its name, and revalidates the others", async () => {
    const hashed = await world.fetch("/assets/app-1a2b3c.js");
    expect(hashed.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(hashed.headers.get("content-type")).toContain("javascript");
    expect((await world.fetch("/icon.svg")).headers.get("cache-control")).toBe("no-cache");
  });

  it.each([
    ["br, gzip", "br", "export {}; // br"],
    ["gzip", "gzip", "export {}; // gz"],
    ["identity", null, "export {};"],
    ["br;q=0", null, "export {};"],
  ])("a file that is there compressed is sent so to who reads %s", async (accepted, encoding, text) => {
    const answer = await world.fetch("/assets/app-1a2b3c.js", { headers: { "accept-encoding": accepted } });
    expect(await answer.text()).toBe(text);
    expect(answer.headers.get("content-encoding")).toBe(encoding);
    expect(answer.headers.get("content-type")).toContain("javascript");
    expect(answer.headers.get("vary")).toMatch(/accept-encoding/i);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.has("x-powered-by")).toBe(false);
  });

  it.each([
    ["a missing file", "/assets/nothing.js", HTML],
    ["a missing file without an extension, to a script", "/nothing", {}],
    ["a dotfile", "/.env", HTML],
    ["an unknown API route", "/api/nothing", HTML],
    ["what only looks like the reference", "/docs/nothing", HTML],
    ["what operators ask on another port", "/metrics", HTML],
    ["whether it lives", "/livez", HTML],
    ["whether one service is ready", "/readyz/auth", HTML],
  ])("GW1 %s is 404 and no page", async (_case, target, headers) => {
    const answer = await world.fetch(target, { headers });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("shows images of its own origin and from memory, and loads none from elsewhere", async () => {
    const policy = (await world.fetch("/", { headers: HTML })).headers.get("content-security-policy");
    expect(policy?.split(";")).toContain("img-src 'self' data: blob:");
  });

  it.each([
    ["a part that the file does not have", { range: "bytes=9999-" }, 200],
    ["another version of the file", { "if-match": '"other"' }, 400],
  ])("ER1 %s is no error of the server", async (_case, headers, status) => {
    expect((await world.fetch("/icon.svg", { headers })).status).toBe(status);
    expect(JSON.stringify(world.log.records())).not.toContain("unexpected error");
  });

  it("GW1 the reference stays at /docs", async () => {
    expect(await (await world.fetch("/docs", { headers: HTML })).text()).toContain("API reference");
  });
});
