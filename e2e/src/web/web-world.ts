import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { launchChromium } from "../browser/chromium.ts";
import type { BrowserWish } from "../browser/chromium.ts";
import { startServer } from "../server/process.ts";
import type { RunningServer } from "../server/process.ts";
import { buildWindow } from "../settings-screen/built-window.ts";
import type { BuiltWindow } from "../settings-screen/built-window.ts";
import { Tab } from "./tab.ts";

/** One browser profile of one user, with its own storage. */
export interface Device {
  readonly context: BrowserContext;
  /** A tab at an address of the first instance, or of another one. */
  open(path?: string, server?: RunningServer): Promise<Tab>;
}

export interface WorldOptions extends BrowserWish {
  /** Host names of the servers for the browsers, in order. */
  readonly names?: readonly string[];
  /** Further environment of the servers. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Browser switches that resolve the servers' names and trust them like localhost. */
const switchesFor = (names: readonly string[], servers: readonly RunningServer[]): readonly string[] => {
  if (names.length === 0) return [];
  const rules = names.map((name, index) => `MAP ${name}:80 ${new URL(servers[index]?.url ?? "").host}`);
  const origins = names.map((name) => `http://${name}`);
  return [
    `--host-resolver-rules=${rules.join(", ")}`,
    `--unsafely-treat-insecure-origin-as-secure=${origins.join(",")}`,
  ];
};

/** The parts of an open world. */
interface Stage {
  readonly built: BuiltWindow;
  readonly servers: readonly RunningServer[];
  readonly browser: Browser;
}

/** Instances that serve the built client, and browsers that open it. */
export class WebWorld implements AsyncDisposable {
  private readonly count: number;
  private readonly options: WorldOptions;
  private readonly contexts: BrowserContext[] = [];
  private readonly restarted: RunningServer[] = [];
  private opened: Stage | undefined;
  /** Errors that pages reported; a suite expects none. */
  readonly complaints: string[] = [];

  /** A world that is not open yet. */
  constructor(count = 1, options: WorldOptions = {}) {
    this.count = count;
    this.options = options;
  }

  static async start(count?: number, options?: WorldOptions): Promise<WebWorld> {
    const world = new WebWorld(count, options);
    await world.open();
    return world;
  }

  async open(): Promise<void> {
    const { names = [], env: more = {}, isWhole = false } = this.options;
    const built = await buildWindow();
    const env = { WEB_ROOT: built.folder, ...more };
    const started = await Promise.all(Array.from({ length: this.count }, () => startServer({ env })));
    const browser = await launchChromium(switchesFor(names, started), { isWhole });
    const servers = started.map((server, index) => {
      const name = names[index];
      return name === undefined ? server : { ...server, url: `http://${name}` };
    });
    this.opened = { built, servers, browser };
  }

  private get stage(): Stage {
    if (this.opened === undefined) throw new Error("The world is not open");
    return this.opened;
  }

  get servers(): readonly RunningServer[] {
    return this.stage.servers;
  }

  get home(): RunningServer {
    return this.server(0);
  }

  server(index: number): RunningServer {
    const server = this.servers[index];
    if (server === undefined) throw new Error(`There is no signaling server ${index}`);
    return server;
  }

  /** Restarts a stopped server with its data at the same address. */
  async restart(server: RunningServer): Promise<RunningServer> {
    const { port } = new URL(server.url);
    const env = { WEB_ROOT: this.stage.built.folder, PORT: port };
    const again = await startServer({ env, dataDir: server.dataDir });
    this.restarted.push(again);
    return again;
  }

  async device(options: BrowserContextOptions = {}): Promise<Device> {
    const context = await this.stage.browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: "en-GB",
      timezoneId: "UTC",
      ...options,
    });
    context.setDefaultTimeout(30_000);
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
    if (this.opened === undefined) return;
    const { servers, browser } = this.opened;
    for (const context of this.contexts) await context.close();
    await browser.close();
    for (const server of [...this.restarted, ...servers]) {
      await server.stop();
      await server.cleanUp();
    }
  }
}
