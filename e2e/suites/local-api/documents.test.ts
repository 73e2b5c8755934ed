import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { until } from "@hearth/runtime/testing/until";
import { launchChromium } from "../../src/browser/chromium.ts";
import { inChromium } from "../../src/browser/for-tests.ts";
import { openDocument, seriousViolations, startDocuments } from "../../src/documents/document-page.ts";
import type { DocumentPage, SampleDocuments } from "../../src/documents/document-page.ts";

const PAGES = [
  "",
  "/getting-started",
  "/concepts",
  "/settings",
  "/sign-in",
  "/reading",
  "/errors",
  "/compatibility",
  "/recipes",
  "/recipe-backup",
  "/recipe-follow",
  "/recipe-search",
  "/recipe-attachments",
  "/recipe-profile",
  "/troubleshooting",
  "/privacy",
] as const;

/** Swagger UI nests an operation's link in a button, and labels the dialog's buttons twice. */
const SWAGGER_UI_FAULTS = ["nested-interactive", "label-content-name-mismatch"];

const SCHEMES = ["light", "dark"] as const;
const MINUTE = 60_000;

let documents: SampleDocuments;
let browser: Browser;

const open = (address: string, colorScheme: (typeof SCHEMES)[number] = "light"): Promise<DocumentPage> =>
  openDocument(browser, documents.url + address, { colorScheme, reducedMotion: "reduce" });

/** The brightness of the page's background, 0 to 255. */
const brightness = async (page: Page): Promise<number> => {
  const colour = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
  return (red + green + blue) / 3;
};

const pathOf = (page: Page): string => new URL(page.url()).pathname;

/** The focused element after each press of Tab, by its text or label. */
async function tabStops(page: Page, count: number): Promise<string[]> {
  const stops: string[] = [];
  for (let pressed = 0; pressed < count; pressed += 1) {
    await page.keyboard.press("Tab");
    stops.push(
      await page.evaluate<string>(
        "(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').trim()",
      ),
    );
  }
  return stops;
}

inChromium("the local server's documents in Chromium", () => {
  beforeAll(async () => {
    documents = await startDocuments();
    browser = await launchChromium();
  }, 2 * MINUTE);

  afterAll(async () => {
    await browser.close();
    await documents[Symbol.asyncDispose]();
  });

  describe.each(SCHEMES)("in %s", (scheme) => {
    it(
      "LA3 every page of /static-docs works offline, obeys its policy and passes axe",
      async () => {
        await using opened = await open("/static-docs", scheme);
        const { page, complaints } = opened;
        for (const address of PAGES) {
          await page.goto(`${documents.url}/static-docs${address}`);
          await page.getByRole("heading", { level: 1 }).waitFor();
          expect([address, (await brightness(page)) > 128]).toEqual([address, scheme === "light"]);
          expect([address, ...(await seriousViolations(page))]).toEqual([address]);
          expect([address, ...complaints]).toEqual([address]);
        }
      },
      2 * MINUTE,
    );

    it(
      "LA3 /docs works offline and obeys its policy while a user enters a token and tries a request",
      async () => {
        await using opened = await open("/docs", scheme);
        const { page, complaints } = opened;
        expect((await brightness(page)) > 128).toBe(scheme === "light");
        expect(await seriousViolations(page, SWAGGER_UI_FAULTS)).toEqual([]);

        await page.getByRole("button", { name: "Authorize" }).click();
        await page.locator(".auth-container input").fill(documents.token);
        expect(await seriousViolations(page, SWAGGER_UI_FAULTS)).toEqual([]);
        await page.getByRole("button", { name: "Apply credentials" }).click();
        await page.getByRole("button", { name: "Close", exact: true }).click();

        const operation = page.locator(".opblock", { hasText: "/api/profile" });
        await operation.getByRole("button", { expanded: false }).first().click();
        await operation.getByRole("button", { name: "Execute" }).click();
        const answer = operation.locator(".live-responses-table");
        await answer.locator(".response-col_status", { hasText: "200" }).waitFor();
        expect(await answer.textContent()).toContain("homeSignalServerUrl");
        expect(await seriousViolations(page, SWAGGER_UI_FAULTS)).toEqual([]);
        expect(complaints).toEqual([]);
      },
      MINUTE,
    );
  });

  it(
    "LA3 /docs shows a refusal as its problem document",
    async () => {
      await using opened = await open("/docs");
      const operation = opened.page.locator(".opblock", { hasText: "/api/profile" });
      await operation.getByRole("button", { expanded: false }).first().click();
      await operation.getByRole("button", { name: "Execute" }).click();
      const answer = operation.locator(".live-responses-table");
      await answer.locator(".response-col_status", { hasText: "401" }).waitFor();
      expect(await answer.textContent()).toContain("AUTH_REQUIRED");
    },
    MINUTE,
  );

  it(
    "every link of the site works, starting at the bare address",
    async () => {
      const seen = new Set<string>(["/static-docs"]);
      for (const address of seen) {
        const answer = await fetch(documents.url + address);
        expect([address, answer.status]).toEqual([address, 200]);
        if (!address.startsWith("/static-docs")) continue;
        const html = answer.headers.get("content-type")?.startsWith("text/html") ? await answer.text() : "";
        for (const [, to = ""] of html.matchAll(/<a [^>]*?href="(\/[^"#]*)/g)) seen.add(to);
      }
      for (const address of PAGES.slice(1)) expect(seen).toContain(`/static-docs${address}`);
      expect(seen).toContain("/docs");
    },
    MINUTE,
  );

  it(
    "links, the back button and a reload work in the site",
    async () => {
      await using opened = await open("/static-docs");
      const { page, complaints } = opened;
      await page.getByRole("link", { name: "Getting started" }).click();
      await page.getByRole("heading", { level: 1, name: "Getting started" }).waitFor();
      expect(pathOf(page)).toBe("/static-docs/getting-started");
      await page.getByRole("link", { name: "Privacy and safety" }).first().click();
      await page.getByRole("heading", { level: 1, name: "Privacy and safety" }).waitFor();
      await page.reload();
      await page.getByRole("heading", { level: 1, name: "Privacy and safety" }).waitFor();
      await page.goBack();
      await page.getByRole("heading", { level: 1, name: "Getting started" }).waitFor();
      await page.goBack();
      await page.getByRole("heading", { level: 1, name: /Hearth/ }).waitFor();
      await page.goto(`${documents.url}/static-docs/getting-started`);
      await page.getByRole("link", { name: "/docs", exact: true }).click();
      await page.getByText("Hearth local API").waitFor();
      expect(pathOf(page)).toBe("/docs");
      await page.getByRole("link", { name: "Handbook", exact: true }).click();
      await page.getByRole("heading", { level: 1, name: /Hearth/ }).waitFor();
      expect(complaints).toEqual([]);
    },
    MINUTE,
  );

  it(
    "LA3 the search finds a page offline and by keyboard",
    async () => {
      await using opened = await open("/static-docs/concepts");
      const { page, complaints } = opened;
      const box = page.getByRole("searchbox");
      // Nothing handles keys before the page's script runs.
      await until(async () => {
        if (!(await box.isVisible())) await page.keyboard.press("Control+k");
        return box.isVisible();
      }, 30_000);
      await page.keyboard.type("port in use");
      await page.locator(".result", { hasText: "the port is in use" }).first().waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Troubleshooting" }).waitFor();
      expect(pathOf(page)).toBe("/static-docs/troubleshooting");
      expect(complaints).toEqual([]);
    },
    MINUTE,
  );

  it(
    "the chosen light or dark theme stays after a reload",
    async () => {
      await using opened = await open("/static-docs/concepts", "light");
      const { page, complaints } = opened;
      await page.getByRole("switch").first().click();
      expect(await brightness(page)).toBeLessThan(128);
      await page.reload();
      expect(await brightness(page)).toBeLessThan(128);
      expect(complaints).toEqual([]);
    },
    MINUTE,
  );

  it(
    "a recipe has a tab for each tool, selectable by keyboard",
    async () => {
      await using opened = await open("/static-docs/recipe-backup");
      const { page, complaints } = opened;
      await page.getByText("bash backup.sh").waitFor();
      await page.getByRole("radio", { name: "curl" }).focus();
      await page.keyboard.press("ArrowRight");
      await page.getByText("python3 backup.py").waitFor();
      await page.keyboard.press("ArrowRight");
      await page.getByText("node backup.mjs").waitFor();
      expect(await page.getByText("bash backup.sh").isVisible()).toBe(false);
      expect(complaints).toEqual([]);
    },
    MINUTE,
  );

  it(
    "everything is reachable by keyboard",
    async () => {
      await using site = await open("/static-docs/settings");
      expect(await tabStops(site.page, 8)).toEqual(
        expect.arrayContaining(["Skip to content", "Search", "Guide", "Local API", "Recipes"]),
      );
      await using reference = await open("/docs");
      await reference.page.getByRole("button", { name: "Authorize" }).waitFor();
      const stops = await tabStops(reference.page, 5);
      expect(stops).toEqual(expect.arrayContaining(["Hearth", "Handbook", "OpenAPI document", "Authorize"]));
      await reference.page.locator(".opblock-summary-control").first().focus();
      await reference.page.keyboard.press("Enter");
      await reference.page.getByRole("button", { name: "Execute" }).waitFor();
    },
    MINUTE,
  );

  it(
    "no page is wider than a narrow window",
    async () => {
      const viewport = { width: 360, height: 740 };
      await using opened = await openDocument(browser, `${documents.url}/static-docs`, { viewport });
      for (const address of [...PAGES.map((page) => `/static-docs${page}`), "/docs"]) {
        await opened.page.goto(documents.url + address);
        await opened.page.getByRole("heading").first().waitFor();
        const excess = await opened.page.evaluate(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        expect([address, excess]).toEqual([address, 0]);
      }
      expect(opened.complaints).toEqual([]);
    },
    MINUTE,
  );

  it(
    "the suite notices a page that loads from elsewhere",
    async () => {
      await using opened = await open("/static-docs/concepts");
      await opened.page.evaluate(
        "document.body.append(Object.assign(new Image(), { src: 'http://elsewhere.test/a.png' }))",
      );
      await opened.page.evaluate("document.body.setAttribute('onclick', 'x()')");
      await opened.page.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">x</p>')",
      );
      const heard = () => opened.complaints.filter((text) => text.includes("Content Security Policy")).length;
      await until(async () => heard() >= 3, 5_000);
    },
    MINUTE,
  );
});
