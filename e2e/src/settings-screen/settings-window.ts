import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { BuiltWindow } from "./built-window.ts";
import type { DeviceScenario } from "./devices.ts";

export interface SettingsWindow extends AsyncDisposable {
  readonly page: Page;
  /** Page errors, policy violations and foreign requests; none in a good run. */
  readonly complaints: readonly string[];
  /** The window's requests to the app, such as `localApi.change {"port":18000}`. */
  calls(): Promise<readonly string[]>;
}

export interface WindowOptions {
  readonly scenario?: DeviceScenario;
  /** A browser without the app behind it. */
  readonly isBare?: boolean;
  readonly path?: string;
  readonly direction?: "rtl";
  /** The window's clock moves only when the test advances it. */
  readonly isClockHeld?: boolean;
  readonly context?: BrowserContextOptions;
}

const setDirection = (direction: string): string =>
  `new MutationObserver((_, it) => { const page = document.documentElement;
     if (page) { page.dir = ${JSON.stringify(direction)}; it.disconnect(); } }).observe(document, { childList: true });`;

function listen(page: Page, site: string): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(site)) complaints.push(`request to ${request.url()}`);
  });
  return complaints;
}

const HOME = "https://chat.example.org";

/** The device has an account whose server is down, and shows no notice. */
async function signIn(context: BrowserContext): Promise<void> {
  const account = {
    userId: "01980000-0000-7000-8000-000000000001",
    username: "mara",
    displayName: "Mara",
    token: "0".repeat(64),
    expiresAt: Date.UTC(2036, 0, 1),
    autoProvisioned: false,
  };
  const stored = {
    "app.authTokens": JSON.stringify({ [HOME]: account.token }),
    "app.signalServerCredentials": JSON.stringify({ [HOME]: account }),
    app_currentUserId: account.userId,
    homeSignalServerUrl: HOME,
  };
  await context.addInitScript(`Object.assign(localStorage, ${JSON.stringify(stored)})`);
  await context.routeWebSocket(/^wss:/, () => undefined);
}

export async function openWindow(
  browser: Browser,
  { url }: { url: string },
  { bridge }: BuiltWindow,
  options: WindowOptions = {},
): Promise<SettingsWindow> {
  const context = await browser.newContext({
    viewport: { width: 1180, height: 860 },
    locale: "en-GB",
    timezoneId: "Europe/Stockholm",
    permissions: ["clipboard-read", "clipboard-write"],
    ...options.context,
  });
  context.setDefaultTimeout(30_000);
  if (options.isBare !== true)
    await context.addInitScript(
      `globalThis.hearthScenario = ${JSON.stringify(options.scenario ?? {})};\n${bridge}`,
    );
  await signIn(context);
  if (options.direction !== undefined) await context.addInitScript(setDirection(options.direction));
  const page = await context.newPage();
  if (options.isClockHeld === true) await page.clock.install();
  const complaints = listen(page, url);
  await page.goto(`${url}${options.path ?? "settings/local-api"}`);
  return {
    page,
    complaints,
    calls: () => page.evaluate("globalThis.hearthFake.calls"),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** Runs in the page: a user logs in. */
export const issueToken = (token: object): void => {
  const { hearthFake } = globalThis as unknown as { hearthFake: { issueToken(token: object): void } };
  hearthFake.issueToken(token);
};

/** The focused element: its name, and whether it and its focus mark are visible. `undefined` for the page itself. */
export interface FocusStop {
  readonly name: string;
  readonly isVisible: boolean;
  readonly hasOutline: boolean;
}

const FOCUS_STOP = `(() => {
  const it = document.activeElement;
  if (it === null || it === document.body) return undefined;
  const { top, left, bottom, right } = it.getBoundingClientRect();
  const isInside = top >= -1 && left >= -1 && bottom <= innerHeight + 1 && right <= innerWidth + 1;
  const { outlineStyle, outlineWidth } = getComputedStyle(it);
  return {
    name: it.getAttribute("aria-label") ?? it.textContent,
    isVisible: it.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && isInside,
    hasOutline: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
  };
})()`;

export const focusStop = (page: Page): Promise<FocusStop | undefined> => page.evaluate(FOCUS_STOP);
