import type {
  BrowserWindow,
  BrowserWindowConstructorOptions,
  WebContents,
  WindowOpenHandlerResponse,
} from "electron";
import { FakeEmitter, preventable } from "./events.ts";
import { fakeState } from "./state.ts";

let lastId = 0;

export interface FakeFrame {
  readonly origin: string;
  readonly url: string;
}

export class FakeContents extends FakeEmitter {
  readonly id = (lastId += 1);
  readonly mainFrame: FakeFrame = { origin: "app://hearth", url: "app://hearth/" };
  readonly sent: { readonly channel: string; readonly payload: unknown }[] = [];
  reloads = 0;
  #openHandler: ((details: { readonly url: string }) => WindowOpenHandlerResponse) | undefined;

  send(channel: string, payload?: unknown): void {
    this.sent.push({ channel, payload: structuredClone(payload) });
  }

  reload(): void {
    this.reloads += 1;
  }

  setWindowOpenHandler(handler: (details: never) => WindowOpenHandlerResponse): void {
    this.#openHandler = handler as (details: { readonly url: string }) => WindowOpenHandlerResponse;
  }

  /** The page calls `window.open`. */
  openWindow(url: string): WindowOpenHandlerResponse | undefined {
    return this.#openHandler?.({ url });
  }

  /** The page or a redirect navigates; true if it was prevented. */
  navigate(event: "will-navigate" | "will-frame-navigate" | "will-redirect", url: string): boolean {
    const details = preventable({ url, isMainFrame: event !== "will-frame-navigate", isSameDocument: false });
    this.emit(event, details);
    return details.defaultPrevented;
  }
}

export class FakeWindow extends FakeEmitter {
  readonly webContents = new FakeContents();
  readonly options: BrowserWindowConstructorOptions;
  /** The response of the app's protocol to the page's URL. */
  loaded: { readonly url: string; readonly response: Response } | undefined;
  visible = false;
  focused = 0;
  minimized = false;
  maximized = false;
  destroyed = false;
  bounds = { x: 0, y: 0, width: 0, height: 0 };

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super();
    this.options = options;
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.bounds = { x, y, width, height };
    fakeState().windows.push(this);
    fakeApp().emit("web-contents-created", {}, this.webContents);
  }

  async loadURL(url: string): Promise<void> {
    const serve = fakeState().protocols.get(new URL(url).protocol.slice(0, -1));
    if (!serve) throw new Error(`nothing serves ${url}`);
    this.loaded = { url, response: await serve(new Request(url)) };
    this.emit("ready-to-show");
  }

  show(): void {
    this.visible = true;
  }

  hide(): void {
    this.visible = false;
  }

  focus(): void {
    this.focused += 1;
  }

  maximize(): void {
    this.maximized = true;
  }

  restore(): void {
    this.minimized = false;
  }

  isMinimized(): boolean {
    return this.minimized;
  }

  isMaximized(): boolean {
    return this.maximized;
  }

  getNormalBounds(): { x: number; y: number; width: number; height: number } {
    return this.bounds;
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    fakeState().calls.push("window destroyed");
    this.emit("closed");
  }

  /** The user closes it; true if it was kept open. */
  userCloses(): boolean {
    const event = preventable({});
    this.emit("close", event);
    return event.defaultPrevented;
  }
}

type Used =
  | "loadURL"
  | "show"
  | "hide"
  | "focus"
  | "maximize"
  | "restore"
  | "isMinimized"
  | "isMaximized"
  | "destroy";
type Contents = Pick<WebContents, "id" | "on" | "send" | "reload" | "setWindowOpenHandler">;
FakeWindow satisfies new (
  options?: BrowserWindowConstructorOptions,
) => Pick<BrowserWindow, Used | "on" | "once" | "getNormalBounds"> & { readonly webContents: Contents };

/** Set by `electron.ts`, which knows the app. */
let fakeApp: () => FakeEmitter = () => new FakeEmitter();

export const announceTo = (app: FakeEmitter): void => {
  fakeApp = () => app;
};
