import type { BrowserContextOptions } from "playwright-core";
import { NetworkProxy } from "./network-proxy.ts";
import { Tab } from "./tab.ts";
import type { Device, WebWorld } from "./web-world.ts";

const PROGRAMS = {
  laptop:
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  phone:
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
  tablet:
    "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1",
} as const;

/** The names in the client. */
export const DEVICE_NAMES = {
  laptop: "Chrome on Linux",
  phone: "Chrome on Android",
  tablet: "Safari on iPad",
} as const;

/** Retries at once unless already connected; resolves when connected. */
export async function comeBack(tab: Tab): Promise<void> {
  const retry = tab.button("Retry now");
  await retry.click({ timeout: 2_000 }).catch(() => undefined);
  await retry.waitFor({ state: "detached" });
}

/** A device whose network can be cut. */
export interface ProxiedDevice extends Device {
  readonly line: NetworkProxy;
}

/** The devices of a story; their network proxies close with it. */
export class OwnDevices implements AsyncDisposable {
  private readonly world: WebWorld;
  private readonly lines: NetworkProxy[] = [];

  constructor(world: WebWorld) {
    this.world = world;
  }

  async device(kind: keyof typeof PROGRAMS, options: BrowserContextOptions = {}): Promise<ProxiedDevice> {
    const line = await NetworkProxy.open();
    this.lines.push(line);
    const proxy = { server: line.url };
    const device = await this.world.device({ userAgent: PROGRAMS[kind], proxy, ...options });
    return { ...device, line };
  }

  /** Opens the tab's address in a new tab with a copy of its session storage. */
  async duplicate(tab: Tab): Promise<Tab> {
    const opened = tab.page.waitForEvent("popup");
    await tab.page.evaluate("void window.open(location.href)");
    const page = await opened;
    page.on("pageerror", ({ message }) => this.world.complaints.push(`${page.url()}: ${message}`));
    return new Tab(page, tab.origin);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const line of this.lines) await line[Symbol.asyncDispose]();
  }
}
