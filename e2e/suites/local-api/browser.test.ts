import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { chromium } from "playwright-core";
import type { Browser, Page } from "playwright-core";
import { findChromium } from "../../src/browser/chromium.ts";
import { startLocalApi } from "../../src/local-api/process.ts";
import type { RunningLocalApi } from "../../src/local-api/process.ts";

/** A foreign page whose host name resolves to this machine (DNS rebinding, rule LA4). */
const EVIL = "evil.test";
const EVIL_PAGE = "<!doctype html><title>evil</title><p>Hello</p>";
/** Only Chromium asks its user before a page reaches the local network; here the server itself must refuse. */
const WITHOUT_THEIR_OWN_CHECKS = "--disable-features=LocalNetworkAccessChecks";
const PATIENCE_MS = 30_000;
const CREDENTIAL = {
  id: "0197b1d0-0000-7000-8000-00000000000a",
  username: "ada",
  displayName: "Ada",
  token: "ab".repeat(32),
  expiresAt: 4_000_000_000_000,
};

interface Site {
  readonly port: number;
  readonly close: () => Promise<unknown>;
}

async function site(listener: RequestListener): Promise<Site> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { port: (server.address() as AddressInfo).port, close };
}

const executablePath = findChromium();
const inChromium = (title: string, test: () => Promise<void>): void =>
  (executablePath === undefined ? it.skip : it)(title, test, PATIENCE_MS);
const ending: (() => Promise<unknown>)[] = [];

let local: RunningLocalApi;
let localPort: string;
let upstream: Site;
let evil: Site;
let browser: Browser;
let page: Page;
/** Logins that reached the signaling server. */
let logins: number;

const loginBody = () =>
  JSON.stringify({ username: "ada", password: "secret", serverUrl: `http://127.0.0.1:${upstream.port}` });

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

/** A form whose text parses as JSON. */
const formPage = (): string => `${EVIL_PAGE}
  <form method="post" enctype="text/plain" action="${local.url}/api/auth/login">
    <input name="${escaped(`${loginBody().slice(0, -1)},"filler":"`)}" value="${escaped('"}')}">
    <button>Win a prize</button>
  </form>`;

beforeAll(async () => {
  if (executablePath === undefined) return;
  upstream = await site((request, response) => {
    if (request.url === "/api/users/login") logins += 1;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(CREDENTIAL));
  });
  ending.push(() => upstream.close());
  evil = await site((request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(request.url === "/form" ? formPage() : EVIL_PAGE);
  });
  ending.push(() => evil.close());
  local = await startLocalApi({ args: ["--docs", "--allow", `http://127.0.0.1:${upstream.port}`] });
  ending.push(() => local.stop().then(() => local.cleanUp()));
  localPort = new URL(local.url).port;
  const args = ["--no-sandbox", `--host-resolver-rules=MAP ${EVIL} 127.0.0.1`, WITHOUT_THEIR_OWN_CHECKS];
  browser = await chromium.launch({ executablePath, args });
  ending.push(() => browser.close());
}, 120_000);

afterAll(async () => {
  for (const end of ending.reverse()) await end();
});

beforeEach(async () => {
  logins = 0;
  if (executablePath !== undefined) page = await (await browser.newContext()).newPage();
});

/** What a page's script can read of a response. */
interface Seen {
  readonly status?: number;
  readonly type?: string;
  readonly text?: string;
  readonly error?: string;
}
interface Init {
  readonly method?: string;
  readonly mode?: "no-cors";
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Runs `fetch` as a script of the page. */
const fetchFromPage = (url: string, init: Init = {}): Promise<Seen> =>
  page.evaluate(
    async ([address, options]) => {
      try {
        const response = await fetch(address, options);
        return { status: response.status, type: response.type, text: await response.text() };
      } catch (error) {
        return { error: String(error) };
      }
    },
    [url, init] as const,
  );

const post = (type: string): Init => ({
  method: "POST",
  headers: { "content-type": type },
  body: loginBody(),
});

describe("the local API and pages of other sites, in a real browser (needs Chromium)", () => {
  inChromium(
    "LA4 S3 L1 a page whose host name was rebound to this machine can neither read nor log in",
    async () => {
      const rebound = `http://${EVIL}:${localPort}`;
      // The page came from its own server; from now on its name leads here, and the browser takes us for that server.
      await page.route(`${rebound}/`, (route) =>
        route.fulfill({ contentType: "text/html", body: EVIL_PAGE }),
      );
      await page.goto(`${rebound}/`);
      const attempts = [
        await fetchFromPage("/api/health"),
        await fetchFromPage("/api/openapi.json"),
        await fetchFromPage("/docs"),
        await fetchFromPage("/api/auth/login", post("application/json")),
        await fetchFromPage("/api/auth/login", post("text/plain")),
      ];
      for (const seen of attempts) {
        expect(seen).toMatchObject({ status: 403, type: "basic" });
        expect(JSON.parse(seen.text ?? "")).toMatchObject({ code: "HOST_NOT_ALLOWED" });
      }
      expect(logins).toBe(0);
    },
  );

  inChromium("LA4 S3 L3 a page of another origin can read nothing under any of our names", async () => {
    await page.goto(`http://${EVIL}:${evil.port}/`);
    for (const name of ["127.0.0.1", "localhost", EVIL]) {
      for (const target of ["/api/health", "/api/openapi.json", "/docs"]) {
        const seen = await fetchFromPage(`http://${name}:${localPort}${target}`);
        expect(seen).toEqual({ error: "TypeError: Failed to fetch" });
      }
    }
    // The same request arrives when the page does not read the response, so the browser can connect.
    expect(await fetchFromPage(`${local.url}/api/health`, { mode: "no-cors" })).toEqual({
      status: 0,
      type: "opaque",
      text: "",
    });
  });

  inChromium(
    "LA4 S3 L4 L5 a page of another origin cannot log in by fetch, with or without a preflight",
    async () => {
      await page.goto(`http://${EVIL}:${evil.port}/`);
      const login = `${local.url}/api/auth/login`;
      const refused = { error: "TypeError: Failed to fetch" };
      expect(await fetchFromPage(login, post("application/json"))).toEqual(refused);
      expect(await fetchFromPage(login, post("text/plain"))).toEqual(refused);
      expect(await fetchFromPage(login, { ...post("text/plain"), mode: "no-cors" })).toMatchObject({
        type: "opaque",
        text: "",
      });
      const answered = page.waitForResponse(login);
      await page.evaluate(`navigator.sendBeacon(${JSON.stringify(login)}, ${JSON.stringify(loginBody())})`);
      expect((await answered).status()).toBe(403);
      expect(logins).toBe(0);
    },
  );

  inChromium("LA4 S3 L5 a page of another origin cannot log in with a form that posts JSON", async () => {
    await page.goto(`http://${EVIL}:${evil.port}/form`);
    const answered = page.waitForResponse(`${local.url}/api/auth/login`);
    await page.click("button");
    const response = await answered;
    expect(response.status()).toBe(403);
    expect(JSON.parse(response.request().postData() ?? "")).toMatchObject({ username: "ada" });
    expect(logins).toBe(0);
  });

  inChromium("LA4 a page of the local server can log in and read", async () => {
    for (const name of ["127.0.0.1", "localhost"]) {
      await page.goto(`http://${name}:${localPort}/docs`, { waitUntil: "domcontentloaded" });
      const login = await fetchFromPage("/api/auth/login", post("application/json"));
      expect(login.status).toBe(200);
      const { token } = JSON.parse(login.text ?? "") as { token: string };
      const rooms = await fetchFromPage("/api/rooms", { headers: { authorization: `Bearer ${token}` } });
      expect(rooms).toMatchObject({ status: 200, type: "basic", text: "[]" });
    }
    expect(logins).toBe(2);
  });
});
