import { createHash } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ERRORS, isErrorCode } from "@hearth/contracts";
import { problemsOfPages } from "../../build/static-docs-links.ts";
import { describeSite, inlineScriptsOf } from "../../build/static-docs-manifest.ts";
import { STATIC_DOCS_SOURCE, makeStaticDocs } from "../../build/static-docs.ts";
import document from "../generated/openapi.json" with { type: "json" };
import { DEFAULT_LOCAL_API_SETTINGS } from "@hearth/device";
import { SITE_MANIFEST, siteManifestSchema } from "./site-manifest.ts";

const MINUTE = 60_000;
const dist = path.resolve(import.meta.dirname, "../../../dist");
const page = (name: string): string => readFileSync(path.join(STATIC_DOCS_SOURCE, `${name}.md`), "utf8");

describe("the documentation", () => {
  it("LA1 explains every documented error with its status and what to do", () => {
    const named = new Set(JSON.stringify(document).match(/\b[A-Z_]{5,}\b/g));
    const codes = [...named].filter(isErrorCode);
    expect(codes.length).toBeGreaterThan(10);
    for (const code of codes) expect(page("errors")).toContain(`| ${ERRORS[code].status} | \`${code}\` |`);
  });

  it("names no unknown error", () => {
    for (const [, status, code = ""] of page("errors").matchAll(/^\| (\d{3}) \| `([A-Z_]+)` \|/gm)) {
      expect([code, isErrorCode(code) && ERRORS[code].status]).toEqual([code, Number(status)]);
    }
  });

  it("names every setting with its default", () => {
    const shown = (value: unknown): string =>
      value === false ? "off" : Array.isArray(value) ? "none" : String(value);
    for (const [name, value] of Object.entries(DEFAULT_LOCAL_API_SETTINGS)) {
      expect(page("settings")).toContain(`\`${name}\` · default: ${shown(value)}\n`);
    }
  });

  it("names every path of the API", () => {
    const told = page("reading") + page("sign-in");
    for (const address of Object.keys(document.paths)) {
      expect(told).toContain(address.replace(/^.*(?=\/(?:bans\/\{userId\}|attachments)$)/, ""));
    }
  });
});

describe("the page check", () => {
  const problems = (html: string): readonly string[] =>
    problemsOfPages(
      new Map([
        ["index.html", html],
        ["settings.html", '<h2 id="port">Port</h2>'],
      ]),
      new Set(["index.html", "settings.html", "assets/a.js"]),
    );

  it.each([
    '<a href="/static-docs/">x</a>',
    '<a href="/static-docs/settings#port">x</a>',
    '<a class="b" href="./settings">x</a>',
    '<a href="/docs" target="_self">x</a>',
    '<a href="https://elsewhere.example/">x</a>',
    '<script type="module" src="/static-docs/assets/a.js"></script>',
  ])("accepts %s", (html) => {
    expect(problems(html)).toEqual([]);
  });

  it.each([
    ['<a href="/static-docs/nothing">x</a>', "leads nowhere"],
    ['<a href="/static-docs/settings#nothing">x</a>', "names a place"],
    ['<a href="/elsewhere">x</a>', "leaves the site"],
    ['<script src="https://cdn.example/a.js"></script>', "from elsewhere"],
    ['<img alt="" src="//cdn.example/a.png">', "from elsewhere"],
    ['<link rel="stylesheet" href="https://fonts.example/a.css">', "from elsewhere"],
    ['<p style="color:red">x</p>', "the attribute style"],
    ['<p onclick="x()">x</p>', "the attribute onclick"],
    ["<style>p{}</style>", "a style element"],
  ])("%s", (html, problem) => {
    expect(problems(html)).toEqual([expect.stringContaining(problem)]);
  });
});

it("finds the hashes of all inline scripts", () => {
  const html =
    '<script id="a">let a;</script><script src="/a.js"></script><script type="application/json">{}</script>';
  const hash = createHash("sha256").update("let a;").digest("base64");
  expect(inlineScriptsOf(html)).toEqual([`sha256-${hash}`]);
});

describe("the site's build", () => {
  let workshop: string;
  const made = (name: string): string => {
    const folder = path.join(workshop, name, "made");
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  beforeAll(() => {
    mkdirSync(dist, { recursive: true });
    workshop = mkdtempSync(path.join(dist, ".testing-"));
  });
  afterAll(() => rmSync(workshop, { recursive: true }));

  it(
    "LA3 makes a site that loads nothing from elsewhere, and lists each of its files and inline scripts",
    async () => {
      await makeStaticDocs(made("good"));
      const site = path.join(made("good"), "static-docs");
      const manifest = siteManifestSchema.parse(
        JSON.parse(readFileSync(path.join(site, SITE_MANIFEST), "utf8")),
      );
      const there = readdirSync(site, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
      expect(manifest.files).toHaveLength(there.length - 1);
      expect(manifest.inlineScripts.length).toBeGreaterThan(0);
      const pages = manifest.files.filter((file) => file.endsWith(".html"));
      expect(pages).toEqual(expect.arrayContaining(["index.html", "settings.html", "recipe-backup.html"]));
      for (const file of pages) {
        const html = readFileSync(path.join(site, file), "utf8");
        expect(manifest.inlineScripts).toEqual(expect.arrayContaining(inlineScriptsOf(html)));
      }
      const styles = manifest.files.filter((file) => file.endsWith(".css"));
      for (const file of styles) {
        expect(readFileSync(path.join(site, file), "utf8")).not.toMatch(/url\(["']?(https?:)?\/\/|@import/);
      }
    },
    2 * MINUTE,
  );

  it(
    "fails on a link to a page that is not there",
    async () => {
      const source = path.join(workshop, "source");
      cpSync(STATIC_DOCS_SOURCE, source, { recursive: true });
      appendFileSync(path.join(source, "privacy.md"), "\nSee [nowhere](./nowhere).\n");
      await expect(makeStaticDocs(made("broken"), source)).rejects.toThrow(/nowhere/);
    },
    2 * MINUTE,
  );

  it("fails on a dead anchor, and writes no manifest", () => {
    const folder = made("small");
    writeFileSync(path.join(folder, "index.html"), '<a href="/static-docs/#nowhere">x</a>');
    expect(() => describeSite(folder)).toThrow(/nowhere/);
    expect(existsSync(path.join(folder, SITE_MANIFEST))).toBe(false);
  });
});
