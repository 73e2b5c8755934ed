import { allRoutes } from "@hearth/contracts";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { call, expectOk, requestText, sendRaw } from "../../src/client/index.ts";
import { ApiDocument, type RawDocument } from "../../src/openapi/document.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

const server = serverForTests();

describe("the document", () => {
  let api: ApiDocument;
  beforeAll(async () => {
    api = new ApiDocument(await expectOk<RawDocument>(server.url, "GET", "/api/openapi.json"));
  });

  it("GW1 is OpenAPI 3.1 with schemas that compile and references that resolve", () => {
    expect(api.raw.openapi).toMatch(/^3\.1\.\d$/);
    expect(api.compileAll()).toBeGreaterThan(20);
    expect(api.danglingReferences()).toEqual([]);
    const ids = api.operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("GW1 has every route and no other", () => {
    const documented = api.operations.map(({ method, path }) => `${method} ${path}`);
    const routes = allRoutes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
    expect(documented.toSorted()).toEqual(routes.toSorted());
  });

  it("GW1 is available to any page, with conditional requests", async () => {
    const answer = await call(server.url, "GET", "/api/openapi.json", {
      headers: { origin: "https://tools.test" },
    });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const etag = answer.headers.get("etag") ?? "";
    expect(
      (await call(server.url, "GET", "/api/openapi.json", { headers: { "if-none-match": etag } })).status,
    ).toBe(304);
  });
});

describe("the reference page", () => {
  const ADDRESS = /(?:src|href|url|action)\s*[=:(]\s*["'`]?\s*(?:https?:)?\/\//i;

  it("GW1 loads only our own files, and its policy allows nothing else", async () => {
    const page = await fetch(new URL("/docs", server.url));
    const html = await page.text();
    expect(page.headers.get("content-type")).toMatch(/^text\/html/);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(html).not.toMatch(ADDRESS);
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
    expect(loaded.length).toBeGreaterThan(4);
    for (const path of loaded) {
      expect(path).toMatch(/^\/(?!\/)/);
      const asset = await fetch(new URL(path, server.url));
      expect([path, asset.status]).toEqual([path, 200]);
      const text = await asset.text();
      if (/\.css$/.test(path))
        expect([path, /@import|url\(\s*["']?(?:https?:)?\/\//.test(text)]).toEqual([path, false]);
      if (/docs\.js$/.test(path)) expect(text).not.toMatch(/https?:\/\//);
    }
    expect(loaded).toEqual(
      expect.arrayContaining(["/docs/assets/swagger-ui-bundle.js", "/docs/assets/docs.js"]),
    );
  });

  it.each([
    "/docs/assets/../document.ts",
    "/docs/assets/%2e%2e/index.html",
    "/docs/assets/package.json",
    "/docs/assets/",
    "/docs/nothing",
  ])("GW1 %s leads to no file that is not part of it", async (path) => {
    const answer = await sendRaw(server.url, requestText(server.url, "GET", path));
    expect([400, 404]).toContain(answer.status);
  });

  it("GW1 the page at / loads only our own files, too", async () => {
    const html = await (await fetch(server.url)).text();
    expect(html).not.toMatch(ADDRESS);
    for (const [, path = ""] of html.matchAll(/(?:src|href)="(\/[^"]*)"/g)) {
      expect([path, (await fetch(new URL(path, server.url))).status]).toEqual([path, 200]);
    }
  });
});
