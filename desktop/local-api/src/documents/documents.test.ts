import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer, request as send } from "node:http";
import type { IncomingHttpHeaders, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import { sendProblem } from "@hearth/runtime";
import { createDocuments } from "./create-documents.ts";
import { SITE_MANIFEST } from "./site-manifest.ts";

const BOTH = { referenceDocsEnabled: true, staticDocsEnabled: true };
const INLINE = `sha256-${createHash("sha256").update("document").digest("base64")}`;
const LISTED = ["index.html", "settings.html", "assets/app.1a2b3c.js", "swapped.html", "deep/index.html"];

let folder: string;
let server: Server;
let settings = BOTH;

function writeManifest(files: readonly string[]): void {
  const manifest = { inlineScripts: [INLINE], files };
  writeFileSync(path.join(folder, SITE_MANIFEST), JSON.stringify(manifest));
}

beforeAll(async () => {
  folder = path.join(realpathSync(mkdtempSync(path.join(tmpdir(), "hearth-documents-"))), ".hidden", "site");
  for (const below of ["assets", "deep", ".git"]) mkdirSync(path.join(folder, below), { recursive: true });
  writeFileSync(path.join(folder, "index.html"), "<title>home</title>");
  writeFileSync(path.join(folder, "settings.html"), "<title>settings</title>");
  writeFileSync(path.join(folder, "deep", "index.html"), "<title>deep</title>");
  writeFileSync(path.join(folder, "assets", "app.1a2b3c.js"), "export {};");
  writeFileSync(path.join(folder, "unlisted.html"), "<title>unlisted</title>");
  writeFileSync(path.join(folder, ".git", "config"), "secret");
  writeFileSync(path.join(folder, "..", "outside.html"), "<title>outside</title>");
  symlinkSync(path.join(folder, "..", "outside.html"), path.join(folder, "swapped.html"));
  symlinkSync(path.join(folder, ".."), path.join(folder, "up"));
  writeManifest([...LISTED, "up/outside.html"]);
  const documents = createDocuments({ settings: () => settings, staticDocs: folder });
  server = createServer((request, response) => {
    documents(request, response, (error) => {
      const problem = error instanceof ProblemError ? error : new ProblemError("INTERNAL", String(error));
      if (error === undefined) response.writeHead(299).end(request.url);
      else sendProblem(response, problem, "id");
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(path.join(folder, "..", ".."), { recursive: true });
});
beforeEach(() => {
  settings = BOTH;
});

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends the path unchanged; `fetch` would normalise it. */
const ask = (target: string, method = "GET", headers: Record<string, string> = {}): Promise<Received> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    send({ host: "127.0.0.1", port, path: target, method, headers, agent: false }, (answer) => {
      let body = "";
      answer.setEncoding("utf8").on("data", (text: string) => (body += text));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
    })
      .on("error", reject)
      .end();
  });

const policyOf = ({ headers }: Received): string => String(headers["content-security-policy"]);

const PAGES = ["/docs", "/static-docs"];

describe("document settings", () => {
  it.each([
    ["/docs", { ...BOTH, referenceDocsEnabled: false }, "/static-docs"],
    ["/docs/assets/docs.js", { ...BOTH, referenceDocsEnabled: false }, "/static-docs/settings"],
    ["/docs/nothing", { ...BOTH, referenceDocsEnabled: false }, "/static-docs/"],
    ["/static-docs", { ...BOTH, staticDocsEnabled: false }, "/docs"],
    ["/static-docs/settings", { ...BOTH, staticDocsEnabled: false }, "/docs/"],
    ["/static-docs/assets/app.1a2b3c.js", { ...BOTH, staticDocsEnabled: false }, "/docs/assets/docs.css"],
  ])("LA3 L21 %s is 404 while its setting is off, and the other document stays", async (off, now, on) => {
    settings = now;
    const answer = await ask(off);
    expect([answer.status, answer.headers["content-type"]]).toEqual([404, "application/problem+json"]);
    expect(JSON.parse(answer.body)).toMatchObject({ status: 404, code: "NOT_FOUND" });
    expect(answer.headers["content-security-policy"]).toBeUndefined();
    expect((await ask(on)).status).toBe(200);
    expect((await ask(off, "POST")).status).toBe(404);
  });

  it("LA3 LA8 a changed setting takes effect with the next request", async () => {
    const statuses = async (): Promise<number[]> =>
      Promise.all(PAGES.map(async (page) => (await ask(page)).status));
    expect(await statuses()).toEqual([200, 200]);
    settings = { referenceDocsEnabled: false, staticDocsEnabled: false };
    expect(await statuses()).toEqual([404, 404]);
    settings = BOTH;
    expect(await statuses()).toEqual([200, 200]);
  });
});

describe("document headers", () => {
  it.each([...PAGES, "/docs/assets/swagger-ui-bundle.js", "/static-docs/assets/app.1a2b3c.js"])(
    "LA3 S15 %s is sent under a strict policy that asks for no TLS",
    async (target) => {
      const answer = await ask(target);
      expect(answer.status).toBe(200);
      const policy = policyOf(answer);
      for (const rule of ["default-src 'none'", "connect-src 'self'", "img-src 'self' data:"]) {
        expect(policy).toContain(rule);
      }
      for (const name of ["frame-ancestors", "base-uri", "form-action"]) {
        expect(policy).toContain(`${name} 'none'`);
      }
      expect(policy).not.toMatch(/https?:|upgrade-insecure-requests|unsafe-eval|script-src[^;]*unsafe|\*/);
      expect(answer.headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "x-frame-options": "DENY",
        etag: expect.stringMatching(/^(W\/)?".+"$/) as unknown,
      });
      for (const absent of ["strict-transport-security", "access-control-allow-origin", "x-powered-by"]) {
        expect(answer.headers[absent]).toBeUndefined();
      }
    },
  );

  it("allow the site's own inline scripts and no others", async () => {
    expect(policyOf(await ask("/static-docs"))).toContain(`script-src 'self' '${INLINE}';`);
    expect(policyOf(await ask("/static-docs"))).toContain("style-src 'self';");
    expect(policyOf(await ask("/docs"))).toContain("script-src 'self';");
  });

  it.each(["/docs", "/docs/assets/docs.css", "/static-docs", "/static-docs/settings"])(
    "%s is not sent again to who has it",
    async (target) => {
      const first = await ask(target);
      expect(first.headers["cache-control"]).toBe("no-cache");
      const again = await ask(target, "GET", { "if-none-match": String(first.headers.etag) });
      expect([again.status, again.body]).toEqual([304, ""]);
    },
  );

  it("let a file with a hash in its name be cached", async () => {
    const { headers } = await ask("/static-docs/assets/app.1a2b3c.js");
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(headers["content-type"]).toMatch(/^text\/javascript; charset=utf-8$/i);
  });
});

describe("document paths", () => {
  it.each([
    ["/static-docs", "home"],
    ["/static-docs/", "home"],
    ["/static-docs?from=app", "home"],
    ["/static-docs/settings", "settings"],
    ["/static-docs/settings.html", "settings"],
    ["/static-docs/%73ettings", "settings"],
    ["/static-docs/deep/", "deep"],
  ])("%s is the page %s", async (target, title) => {
    const answer = await ask(target);
    expect([answer.status, answer.body]).toEqual([200, `<title>${title}</title>`]);
    expect(answer.headers["content-type"]).toMatch(/^text\/html; charset=utf-8$/i);
  });

  it("a trailing slash redirects to the page", async () => {
    const answer = await ask("/static-docs/settings/");
    expect([answer.status, answer.headers.location]).toEqual([308, "/static-docs/settings"]);
  });

  it.each([
    "/static-docs/%2e%2e/",
    "/static-docs/%2e%2e/outside.html",
    "/static-docs/../outside.html",
    "/static-docs/..%2foutside.html",
    "/static-docs/..%5coutside.html",
    "/static-docs/%252e%252e/outside.html",
    "/static-docs//etc/passwd",
    "/static-docs/%2fetc/passwd",
    "/static-docs/C:%5cWindows",
    "/static-docs/.git/config",
    "/static-docs/%2egit/config",
    "/static-docs/swapped.html",
    "/static-docs/swapped",
    "/static-docs/up/outside.html",
    "/static-docs/unlisted.html",
    `/static-docs/${SITE_MANIFEST}`,
    "/static-docs/index.html%00.js",
    "/static-docs/%E0%A4%A",
    "/static-docs/assets/",
    "/static-docs/nothing",
    "/docs/%2e%2e/static-docs",
    "/docs/nothing",
    "/docs/assets/",
    "/docs/assets/index.html",
    "/docs/assets/..%5cindex.html",
    "/docs/assets/%2e%2e/reference-page.ts",
    "/docs/assets/../reference-page.ts",
    "/docs/assets/swagger-ui.js",
    "/docs/assets/package.json",
    "/docs/assets//etc/passwd",
  ])("L21 %s is 404", async (target) => {
    const answer = await ask(target);
    expect([answer.status, answer.headers["content-type"]]).toEqual([404, "application/problem+json"]);
    expect(answer.body).not.toContain(folder);
  });

  it.each(["/", "/api/health", "/docsx", "/static-docsx/a", "//docs", "/DOCS", "http://x/docs"])(
    "%s is left to others, untouched",
    async (target) => {
      const answer = await ask(target);
      expect([answer.status, answer.body]).toEqual([299, target]);
    },
  );

  it.each([...PAGES, "/static-docs/settings", "/docs/assets/docs.js"])(
    "L23 %s takes GET and HEAD, and 405 names them",
    async (target) => {
      for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
        const answer = await ask(target, method);
        expect([answer.status, answer.headers.allow]).toEqual([405, "GET, HEAD"]);
        expect(JSON.parse(answer.body)).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
      }
      const head = await ask(target, "HEAD");
      expect([head.status, head.body]).toEqual([200, ""]);
    },
  );
});

describe("the reference", () => {
  it("LA3 needs nothing from other hosts", async () => {
    const { body } = await ask("/docs");
    expect(body).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=|\{\{/);
    for (const [, reference = ""] of body.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect(reference).toMatch(/^\/(?!\/)/);
      if (!reference.startsWith("/api/")) {
        expect([reference, (await ask(reference)).status]).toEqual([reference, 200]);
      }
    }
  });

  it("links to the documentation only while it is enabled", async () => {
    expect((await ask("/docs")).body).toContain('href="/static-docs"');
    settings = { ...BOTH, staticDocsEnabled: false };
    expect((await ask("/docs")).body).not.toContain("/static-docs");
  });
});

describe("the built site", () => {
  it("is read again after a new build", async () => {
    expect((await ask("/static-docs/unlisted")).status).toBe(404);
    writeManifest([...LISTED, "unlisted.html"]);
    utimesSync(path.join(folder, SITE_MANIFEST), 1, 1);
    expect((await ask("/static-docs/unlisted")).status).toBe(200);
    writeManifest(LISTED);
  });

  it("is 404 if it was not built", async () => {
    rmSync(path.join(folder, SITE_MANIFEST));
    const answer = await ask("/static-docs");
    expect(JSON.parse(answer.body)).toMatchObject({ status: 404, code: "NOT_FOUND" });
    writeManifest(LISTED);
    expect((await ask("/static-docs")).status).toBe(200);
  });
});
