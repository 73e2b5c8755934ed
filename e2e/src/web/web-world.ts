import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { launchChromium } from "../browser/chromium.ts";
import { startServer } from "../server/process.ts";
import type { RunningServer } from "../server/process.ts";
import { buildWindow } from "../settings-screen/built-window.ts";
import type { BuiltWindow } from "../settings-screen/built-window.ts";
import { Tab } from "./tab.ts";

/** One browser profile of one person: what it stores is its own. */
export interface Device {
  readonly context: BrowserContext;
  /** A tab at an address of the first signaling server, or at another one. */
  open(path?: string, server?: RunningServer): Promise<Tab>;
}

export interface WorldOptions {
  /** Host names that the browsers know the servers by, in their order. */
  readonly names?: readonly string[];
  /** Further environment of the servers. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Switches by which a browser finds servers under names, and trusts them as it does its own machine. */
const switchesFor = (names: readonly string[], servers: readonly RunningServer[]): readonly string[] => {
  if (names.length === 0) return [];
  const rules = names.map((name, index) => `MAP ${name}:80 ${new URL(servers[index]?.url ?? "").host}`);
  const origins = names.map((name) => `http://${name}`);
  return [
    `--host-resolver-rules=${rules.join(", ")}`,
    `--unsafely-treat-insecure-origin-as-secure=${origins.join(",")}`,
  ];
};

/** Signaling servers that serve the built client, and browsers that open it. */
export class WebWorld implements AsyncDisposable {
  readonly servers: readonly RunningServer[];
  private readonly browser: Browser;
  private readonly built: BuiltWindow;
  private readonly contexts: BrowserContext[] = [];
  private readonly restarted: RunningServer[] = [];
  /** What pages complained about; a suite expects nothing. */
  readonly complaints: string[] = [];

  private constructor(browser: Browser, built: BuiltWindow, servers: readonly RunningServer[]) {
    this.browser = browser;
    this.built = built;
    this.servers = servers;
  }

  static async start(count = 1, { names = [], env: more = {} }: WorldOptions = {}): Promise<WebWorld> {
    const built = await buildWindow();
    const env = { WEB_ROOT: built.folder, ...more };
    const servers = await Promise.all(Array.from({ length: count }, () => startServer({ env })));
    const browser = await launchChromium(switchesFor(names, servers));
    const named = servers.map((server, index) => {
      const name = names[index];
      return name === undefined ? server : { ...server, url: `http://${name}` };
    });
    return new WebWorld(browser, built, named);
  }

  get home(): RunningServer {
    return this.server(0);
  }

  server(index: number): RunningServer {
    const server = this.servers[index];
    if (server === undefined) throw new Error(`There is no signaling server ${index}`);
    return server;
  }

  /** The same server again after it was stopped, with its data, at the same address. */
  async restart(server: RunningServer): Promise<RunningServer> {
    const { port } = new URL(server.url);
    const env = { WEB_ROOT: this.built.folder, PORT: port };
    const again = await startServer({ env, dataDir: server.dataDir });
    this.restarted.push(again);
    return again;
  }

  async device(options: BrowserContextOptions = {}): Promise<Device> {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: "en-GB",
      timezoneId: "UTC",
      ...options,
    });
    context.setDefaultTimeout(15_000);
    this.contexts.push(context);
    return {
      context,
      open: async (path = "/", server = this.home) => {
        const page = await context.newPage();
        page.on("pageerror", (error) => this.complaints.push(`${page.url()}: ${error.message}`));
        const tab = new Tab(page, server.url);
        await tab.go(path);
        return tab;
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const context of this.contexts) await context.close();
    await this.browser.close();
    for (const server of [...this.restarted, ...this.servers]) {
      await server.stop();
      await server.cleanUp();
    }
    await this.built[Symbol.asyncDispose]();
  }
}
