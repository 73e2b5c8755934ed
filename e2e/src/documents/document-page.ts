import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { newDataDir, startLocalApi } from "../local-api/process.ts";
import type { RunningLocalApi } from "../local-api/process.ts";

export interface SampleDocuments extends AsyncDisposable {
  readonly url: string;
  /** A token of the local API with the scope to read. */
  readonly token: string;
}

/** The local API on a sample device, with both documents on. */
export async function startDocuments(port = 0): Promise<SampleDocuments> {
  const dataDir = await newDataDir();
  const local: RunningLocalApi = await startLocalApi({
    dataDir,
    port,
    args: ["--sample", "--docs", "--static-docs"],
  });
  const [, token = ""] = /Bearer ([0-9a-f]{64})/.exec(local.output()) ?? [];
  return {
    url: local.url,
    token,
    async [Symbol.asyncDispose]() {
      await local.stop();
      await local.cleanUp();
    },
  };
}

export interface DocumentPage extends AsyncDisposable {
  readonly page: Page;
  /** Page errors, policy violations and forbidden requests to other hosts; none in a good run. */
  readonly complaints: readonly string[];
}

/** A browser that reaches the local server and nothing else. */
export async function openDocument(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<DocumentPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  const { origin } = new URL(url);
  await context.route(
    (target) => target.origin !== origin,
    async (route) => {
      complaints.push(`request to ${route.request().url()}`);
      await route.abort();
    },
  );
  const page = await context.newPage();
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  await page.goto(url);
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Serious axe violations. The script is injected over the debugging protocol, which bypasses the page's policy. */
export async function seriousViolations(page: Page, known: readonly string[] = []): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return violations
    .filter(({ id, impact }) => (impact === "serious" || impact === "critical") && !known.includes(id))
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
