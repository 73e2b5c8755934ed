import type {
  BrowserWindowConstructorOptions,
  CustomScheme,
  LoginItemSettings,
  MenuItemConstructorOptions,
  Session,
} from "electron";
import type { FakeWindow } from "./window.ts";

type Handler<T extends (...args: never[]) => unknown> = Parameters<T>[0];
export type InvokeHandler = (event: never, ...args: never[]) => unknown;

/** What a test configures before it starts the app. */
export interface FakeSetup {
  readonly userData: string;
  readonly hasInstance?: boolean;
  readonly isPackaged?: boolean;
  readonly hasTray?: boolean;
  readonly encryption?: "available" | "unavailable" | "basic_text";
}

/** Everything that the app did to Electron, as plain values. */
export interface FakeState {
  readonly setup: FakeSetup;
  readonly calls: string[];
  readonly schemes: CustomScheme[];
  readonly windows: FakeWindow[];
  readonly protocols: Map<string, (request: Request) => Promise<Response>>;
  readonly handlers: Map<string, InvokeHandler>;
  readonly opened: string[];
  readonly errors: { readonly title: string; readonly text: string }[];
  readonly questions: { readonly message: string; readonly buttons: readonly string[] }[];
  readonly notifications: { readonly title: string; readonly body: string; emit(event: string): void }[];
  readonly exits: number[];
  answerTo: number;
  loginItem: Pick<LoginItemSettings, "openAtLogin">;
  applicationMenu: MenuItemConstructorOptions[];
  tray: { tooltip: string; menu: MenuItemConstructorOptions[]; emit(event: string): void } | undefined;
  permissionRequest: Handler<Session["setPermissionRequestHandler"]>;
  permissionCheck: Handler<Session["setPermissionCheckHandler"]>;
  devicePermission: Handler<Session["setDevicePermissionHandler"]>;
  displayMedia: Handler<Session["setDisplayMediaRequestHandler"]>;
}

export type WindowOptions = BrowserWindowConstructorOptions;

const fresh = (setup: FakeSetup): FakeState => ({
  setup,
  calls: [],
  schemes: [],
  windows: [],
  protocols: new Map(),
  handlers: new Map(),
  opened: [],
  errors: [],
  questions: [],
  notifications: [],
  exits: [],
  answerTo: 0,
  loginItem: { openAtLogin: false },
  applicationMenu: [],
  tray: undefined,
  permissionRequest: null,
  permissionCheck: null,
  devicePermission: null,
  displayMedia: null,
});

let current: FakeState | undefined;

/** Of the app that was started last. */
export function fakeState(): FakeState {
  if (!current) throw new Error("start the fake first");
  return current;
}

/** Electron is one per process, so the previous app must have quit. */
export function startFake(setup: FakeSetup): FakeState {
  if (current?.exits.length === 0) throw new Error("the app before has not ended");
  current = fresh(setup);
  return current;
}
