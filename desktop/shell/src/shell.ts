import type { Clock, Log } from "@hearth/runtime";
import type { DeepLink, LocalDocument, NotificationTarget } from "@hearth/bridge";
import { EVENT } from "@hearth/bridge";
import { localApiView } from "@hearth/bridge";
import type { CallHandlers } from "@hearth/bridge";
import type { ClientStore } from "@hearth/store";
import { createAppFiles } from "./window/app-files.ts";
import { createBackground } from "./window/background.ts";
import type { Background } from "./window/background.ts";
import { createBrowser } from "./window/browser.ts";
import type { Browser } from "./window/browser.ts";
import { createCallHandlers } from "./ipc/call-handlers.ts";
import { createContentRules } from "./window/content-rules.ts";
import { createCrashes } from "./crashes.ts";
import { deepLinkOf, readDeepLink } from "./window/deep-link.ts";
import { serveWindow } from "./ipc/ipc.ts";
import type { JsonFile } from "./files/json-file.ts";
import { createMainWindow } from "./window/main-window.ts";
import type { MainWindow } from "./window/main-window.ts";
import type * as ports from "./ports.ts";
import { createSecrets } from "./files/secrets.ts";
import { createWaiting } from "./waiting.ts";
import type { Waiting } from "./waiting.ts";

/** Everything that the shell uses from outside. */
export interface ShellPorts {
  readonly window: ports.WindowPort;
  readonly ipc: ports.IpcPort;
  readonly security: ports.SecurityPort;
  readonly protocol: ports.ProtocolPort;
  readonly browser: ports.BrowserPort;
  readonly tray: ports.TrayPort;
  readonly menu: ports.MenuPort;
  readonly secrets: ports.SecretPort;
  readonly notifications: ports.NotificationPort;
  readonly autoStart: ports.AutoStartPort;
  readonly dialog: ports.DialogPort;
}

export interface ShellOptions {
  readonly ports: ShellPorts;
  readonly localApi: ports.LocalApi;
  readonly store: ClientStore;
  readonly files: {
    readonly preload: string;
    readonly renderer: string;
    readonly boundsFile: JsonFile<ports.WindowBounds>;
    readonly secrets: JsonFile<[string, string][]>;
  };
  readonly version: string;
  readonly platform: NodeJS.Platform;
  readonly argv: readonly string[];
  /** Starts in the background, if the user can get back from there. */
  readonly hidden: boolean;
  readonly quit: (code?: number) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** The window, the tray, and their connection to the local API. */
export interface Shell {
  readonly name: string;
  /** Subscribe before the app is ready, so that no link is lost. */
  readonly events: ports.AppEvents;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Interface 4.3, rule 5: enables what the document needs, then opens it in the system's browser. */
const createDocumentOpener =
  (localApi: Pick<ports.LocalApi, "openDocument">, browser: Pick<Browser, "openDocument">) =>
  async (document: LocalDocument): Promise<void> => {
    await browser.openDocument(await localApi.openDocument(document));
  };

class AppShell implements Shell {
  readonly name = "shell";
  readonly events: ports.AppEvents;
  readonly #options: ShellOptions;
  readonly #rules: ports.ContentRules;
  readonly #window: MainWindow;
  readonly #links: Waiting<DeepLink>;
  readonly #handlers: CallHandlers;
  readonly #background: Background;
  #undo: (() => void)[] = [];
  #started = false;
  #hasTray = false;

  constructor(options: ShellOptions) {
    const { ports, localApi, store, files, log } = options;
    const browser = createBrowser(ports.browser, log);
    const openDocument = createDocumentOpener(localApi, browser);
    const showWindow = (): void => {
      if (this.#started) this.#window.show();
    };
    const quit = (): void => {
      options.quit();
    };
    this.#options = options;
    this.#rules = createContentRules(browser);
    this.#window = createMainWindow({
      ...options,
      quit,
      port: ports.window,
      boundsFile: files.boundsFile,
      preload: files.preload,
      crashes: createCrashes({ ...options, dialog: ports.dialog, quit }),
      staysInBackground: () => this.#hasTray || options.platform === "darwin",
    });
    const activations = createWaiting<NotificationTarget>(() => {
      this.#window.send(EVENT.activated);
    });
    this.#links = createWaiting<DeepLink>(() => {
      this.#window.send(EVENT.linkOpened);
    });
    this.#handlers = createCallHandlers({
      ...ports,
      localApi,
      store,
      openDocument,
      secrets: createSecrets({ port: ports.secrets, file: files.secrets, log }),
      activations,
      links: this.#links,
      showWindow,
    });
    this.#background = createBackground({ ...options, ...ports, openDocument, showWindow, quit });
    this.events = this.#listen(showWindow, quit);
  }

  async start(): Promise<void> {
    const { ports, localApi, files, argv, hidden, log } = this.#options;
    ports.security.enforce(this.#rules);
    ports.protocol.serve(createAppFiles(files.renderer));
    this.#undo = [
      serveWindow({
        port: ports.ipc,
        handlers: this.#handlers,
        contentsId: () => this.#window.contentsId(),
        log,
      }),
      localApi.onChange(() => {
        this.#window.send(EVENT.localApiChanged, localApiView.parse(localApi.view()));
        this.#background.refresh();
      }),
    ];
    this.#hasTray = this.#background.start();
    const link = deepLinkOf(argv);
    if (link) this.#links.add(link);
    this.#started = true;
    await this.#window.open({ hidden: hidden && this.#hasTray && link === undefined });
  }

  async stop(): Promise<void> {
    this.#started = false;
    for (const end of this.#undo.splice(0)) end();
    this.#background.stop();
    await this.#window.close();
  }

  #listen(showWindow: () => void, quit: () => void): ports.AppEvents {
    const follow = (link: DeepLink | undefined): void => {
      if (link) this.#links.add(link);
      showWindow();
    };
    return {
      secondInstance: (argv) => {
        follow(deepLinkOf(argv));
      },
      openUrl: (url) => {
        follow(readDeepLink(url));
      },
      activate: showWindow,
      quitRequested: quit,
      processGone: (details) => {
        this.#options.log.warn({ ...details }, "child process ended");
      },
    };
  }
}

export const createShell = (options: ShellOptions): Shell => new AppShell(options);
