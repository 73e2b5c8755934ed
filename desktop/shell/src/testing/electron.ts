import path from "node:path";
import type * as electron from "electron";
import { FakeEmitter, preventable } from "./events.ts";
import { fakeState } from "./state.ts";
import type { InvokeHandler } from "./state.ts";
import { FakeWindow, announceTo } from "./window.ts";

// Replaces `electron` in tests. Every part is checked against Electron's own types. What the app did is in
// `fakeState()`.

let ready = Promise.withResolvers<undefined>();

class FakeApp extends FakeEmitter {
  readonly commandLine = { hasSwitch: () => false };
  get isPackaged(): boolean {
    return fakeState().setup.isPackaged ?? false;
  }
  setName(name: string): void {
    fakeState().calls.push(`name ${name}`);
  }
  enableSandbox(): void {
    fakeState().calls.push("sandbox");
  }
  setPath(name: string, value: string): void {
    fakeState().calls.push(`path ${name} ${value}`);
  }
  getPath(name: string): string {
    const { userData } = fakeState().setup;
    return name === "userData" ? userData : path.join(userData, "config");
  }
  requestSingleInstanceLock(): boolean {
    fakeState().calls.push("lock");
    return !fakeState().setup.hasInstance;
  }
  setAsDefaultProtocolClient(scheme: string): boolean {
    fakeState().calls.push(`links ${scheme}`);
    return true;
  }
  whenReady(): Promise<void> {
    return ready.promise;
  }
  exit(code = 0): void {
    fakeState().exits.push(code);
    this.emit("exited");
  }
  getLoginItemSettings(): electron.LoginItemSettings {
    return fakeState().loginItem as electron.LoginItemSettings;
  }
  setLoginItemSettings({ openAtLogin = false }: electron.Settings): void {
    fakeState().loginItem = { openAtLogin };
  }
  /** Asks the app to quit; true if it does not quit by itself. */
  askToQuit(): boolean {
    const event = preventable({});
    this.emit("before-quit", event);
    return event.defaultPrevented;
  }
  becomeReady(): void {
    ready.resolve(undefined);
  }
  startOver(): void {
    this.forgetListeners();
    ready = Promise.withResolvers();
  }
}

export const app = new FakeApp();
announceTo(app);

export const powerMonitor = new FakeEmitter();

export const BrowserWindow = FakeWindow;

export const screen = {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1_920, height: 1_040 } }],
};

export const protocol = {
  registerSchemesAsPrivileged(schemes: electron.CustomScheme[]) {
    fakeState().schemes.push(...schemes);
  },
  handle(scheme: string, handler: (request: never) => unknown) {
    fakeState().protocols.set(scheme, handler as (request: Request) => Promise<Response>);
  },
};

class FakeSession extends FakeEmitter {
  setPermissionRequestHandler: electron.Session["setPermissionRequestHandler"] = (handler) => {
    fakeState().permissionRequest = handler;
  };
  setPermissionCheckHandler: electron.Session["setPermissionCheckHandler"] = (handler) => {
    fakeState().permissionCheck = handler;
  };
  setDevicePermissionHandler: electron.Session["setDevicePermissionHandler"] = (handler) => {
    fakeState().devicePermission = handler;
  };
  setDisplayMediaRequestHandler: electron.Session["setDisplayMediaRequestHandler"] = (handler) => {
    fakeState().displayMedia = handler;
  };
}

export const session = { defaultSession: new FakeSession() };

export const ipcMain = {
  handle(channel: string, handler: InvokeHandler) {
    if (fakeState().handlers.has(channel)) throw new Error(`a second handler for ${channel}`);
    fakeState().handlers.set(channel, handler);
  },
  removeHandler(channel: string): never {
    fakeState().handlers.delete(channel);
    return undefined as never;
  },
};

export class Tray extends FakeEmitter {
  tooltip = "";
  menu: electron.MenuItemConstructorOptions[] = [];

  constructor(_image: unknown) {
    super();
    if (fakeState().setup.hasTray === false) throw new Error("no tray here");
    fakeState().tray = this;
  }
  setToolTip(tooltip: string): void {
    this.tooltip = tooltip;
  }
  setContextMenu(menu: unknown): void {
    this.menu = (menu as FakeMenu).template;
  }
  destroy(): void {
    fakeState().calls.push("tray removed");
    fakeState().tray = undefined;
  }
}

class FakeMenu {
  readonly template: electron.MenuItemConstructorOptions[];

  constructor(template: electron.MenuItemConstructorOptions[]) {
    this.template = template;
  }
}

export const Menu = {
  buildFromTemplate: (template: electron.MenuItemConstructorOptions[]) => new FakeMenu(template),
  setApplicationMenu(menu: FakeMenu) {
    fakeState().applicationMenu = menu.template;
  },
};

export const nativeImage = {
  createEmpty: () => ({ addRepresentation: () => undefined, setTemplateImage: () => undefined }),
};

const scrambled = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0x5a));

/** Not real encryption, but different from the plain text. */
export const safeStorage = {
  isAsyncEncryptionAvailable: async () => fakeState().setup.encryption !== "unavailable",
  getSelectedStorageBackend: () =>
    fakeState().setup.encryption === "basic_text" ? ("basic_text" as const) : ("gnome_libsecret" as const),
  encryptStringAsync: async (text: string) => scrambled(Buffer.from(text)),
  async decryptStringAsync(bytes: Buffer) {
    return { result: scrambled(bytes).toString(), shouldReEncrypt: false };
  },
};

export class Notification extends FakeEmitter {
  readonly title: string;
  readonly body: string;

  constructor({ title = "", body = "" }: electron.NotificationConstructorOptions = {}) {
    super();
    this.title = title;
    this.body = body;
  }
  static isSupported(): boolean {
    return true;
  }
  show(): void {
    fakeState().notifications.push(this);
  }
}

export const dialog = {
  showErrorBox(title: string, text: string) {
    fakeState().errors.push({ title, text });
  },
  async showMessageBox(...args: [electron.MessageBoxOptions] | [unknown, electron.MessageBoxOptions]) {
    const { message, buttons = [] } = args.length === 1 ? args[0] : args[1];
    fakeState().questions.push({ message, buttons });
    return { response: fakeState().answerTo, checkboxChecked: false };
  },
};

export const shell = {
  async openExternal(url: string) {
    fakeState().opened.push(url);
  },
};

type Electron = typeof electron;
app satisfies Pick<
  Electron["app"],
  | "enableSandbox"
  | "exit"
  | "getLoginItemSettings"
  | "getPath"
  | "isPackaged"
  | "on"
  | "requestSingleInstanceLock"
  | "setAsDefaultProtocolClient"
  | "setLoginItemSettings"
  | "setName"
  | "setPath"
  | "whenReady"
>;
powerMonitor satisfies Pick<Electron["powerMonitor"], "on">;
protocol satisfies Pick<Electron["protocol"], "handle" | "registerSchemesAsPrivileged">;
session.defaultSession satisfies Pick<
  electron.Session,
  | "on"
  | "setDevicePermissionHandler"
  | "setDisplayMediaRequestHandler"
  | "setPermissionCheckHandler"
  | "setPermissionRequestHandler"
>;
ipcMain satisfies Pick<Electron["ipcMain"], "handle" | "removeHandler">;
safeStorage satisfies Pick<
  Electron["safeStorage"],
  "decryptStringAsync" | "encryptStringAsync" | "getSelectedStorageBackend" | "isAsyncEncryptionAvailable"
>;
dialog satisfies Pick<Electron["dialog"], "showErrorBox" | "showMessageBox">;
shell satisfies Pick<Electron["shell"], "openExternal">;
Tray satisfies new (
  image: string,
) => Pick<electron.Tray, "on" | "setToolTip" | "destroy">;
Notification satisfies new (
  options?: electron.NotificationConstructorOptions,
) => Pick<electron.Notification, "on" | "show" | "title" | "body">;
