import type { BrowserWindowConstructorOptions } from "electron";
import type { Log } from "@hearth/runtime";
import type { EventName } from "@hearth/bridge";
import { VERSION_ARGUMENT } from "@hearth/bridge";
import type { Crashes } from "../crashes.ts";
import type { JsonFile } from "../files/json-file.ts";
import { APP_URL } from "./origin.ts";
import type { AppWindow, WindowBounds, WindowPort } from "../ports.ts";
import { MINIMUM_SIZE, restoredBounds } from "./window-bounds.ts";

export interface MainWindowOptions {
  readonly port: WindowPort;
  readonly boundsFile: JsonFile<WindowBounds>;
  readonly crashes: Crashes;
  readonly preload: string;
  readonly version: string;
  /** Hides a closed window if the user can get back to it; otherwise the app quits. */
  readonly staysInBackground: () => boolean;
  readonly quit: () => void;
  readonly log: Log;
}

/** The app's only window. */
export interface MainWindow {
  open(options: { readonly hidden: boolean }): Promise<void>;
  show(): void;
  contentsId(): number | undefined;
  send(event: EventName, payload?: unknown): void;
  close(): Promise<void>;
}

export const windowOptions = (preload: string, version: string): BrowserWindowConstructorOptions => ({
  ...MINIMUM_SIZE,
  show: false,
  title: "Hearth",
  backgroundColor: "#16130f",
  webPreferences: {
    preload,
    additionalArguments: [`${VERSION_ARGUMENT}${version}`],
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    devTools: false,
    // Its dictionaries would be downloaded.
    spellcheck: false,
  },
});

class SingleWindow implements MainWindow {
  readonly #options: MainWindowOptions;
  #window: AppWindow | undefined;
  #bounds: WindowBounds | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: MainWindowOptions) {
    this.#options = options;
  }

  async open({ hidden }: { readonly hidden: boolean }): Promise<void> {
    this.#bounds ??= await this.#options.boundsFile.read().catch(() => undefined);
    if (this.#window) return;
    const { port, preload, version, crashes, log } = this.#options;
    const bounds = restoredBounds(this.#bounds, port.workAreas());
    const options = { ...windowOptions(preload, version), ...bounds };
    const window = port.open(options, this.#events(hidden));
    this.#window = window;
    window.load(APP_URL).catch((error: unknown) => {
      // Also if the window is closed meanwhile.
      if (this.#window !== window) return;
      log.error({ err: error }, "window page not loaded");
      crashes.gone(window, "load-failed");
    });
  }

  show(): void {
    if (this.#window) this.#window.show();
    else this.#reopen();
  }

  contentsId(): number | undefined {
    return this.#window?.contentsId;
  }

  send(event: EventName, payload?: unknown): void {
    this.#window?.send(event, payload);
  }

  async close(): Promise<void> {
    this.#remember();
    this.#window?.destroy();
    this.#window = undefined;
    await this.#saving;
  }

  #reopen(): void {
    this.open({ hidden: false }).catch((error: unknown) => {
      this.#options.log.error({ err: error }, "window not opened");
    });
  }

  #remember(): void {
    if (!this.#window) return;
    this.#bounds = this.#window.bounds();
    this.#saving = this.#options.boundsFile.write(this.#bounds).catch((error: unknown) => {
      this.#options.log.warn({ err: error }, "window bounds not saved");
    });
  }

  #events(hidden: boolean): Parameters<WindowPort["open"]>[1] {
    const { crashes, staysInBackground, quit } = this.#options;
    const withWindow = (use: (window: AppWindow) => void) => () => {
      if (this.#window) use(this.#window);
    };
    return {
      readyToShow: withWindow((window) => {
        if (hidden) return;
        if (this.#bounds?.maximized === true) window.maximize();
        window.show();
      }),
      closing: () => {
        this.#remember();
        if (staysInBackground()) {
          this.#window?.hide();
        } else {
          quit();
        }
        return false;
      },
      closed: () => {
        this.#window = undefined;
      },
      gone: (reason) => {
        withWindow((window) => {
          crashes.gone(window, reason);
        })();
      },
      unresponsive: withWindow((window) => {
        crashes.unresponsive(window);
      }),
      responsive: () => {
        crashes.responsive();
      },
    };
  }
}

export const createMainWindow = (options: MainWindowOptions): MainWindow => new SingleWindow(options);
