import { describe, expect, it } from "@jest/globals";
import type { MenuItemConstructorOptions } from "electron";
import type { LocalApiView } from "@hearth/bridge";
import { DEFAULT_LOCAL_API_SETTINGS } from "@hearth/device";
import { statusLine } from "../files/local-api-status.ts";
import { applicationMenu, trayMenu } from "./menus.ts";
import type { MenuActions } from "./menus.ts";

const view = (settings = {}, state: Partial<LocalApiView["state"]> = {}): LocalApiView => ({
  settings: { ...DEFAULT_LOCAL_API_SETTINGS, ...settings },
  state: { status: "stopped", urls: [], lastError: null, ...state },
  tokens: [],
});
const listening = {
  status: "listening" as const,
  urls: ["http://127.0.0.1:17878", "http://192.168.1.2:17878"],
};

const said: string[] = [];
const say = (what: string) => (value?: string | boolean) =>
  void said.push(value === undefined ? what : `${what} ${String(value)}`);
const actions: MenuActions = {
  showWindow: say("show"),
  openDocument: say("open"),
  setLocalApi: say("local-api"),
  setAutoStart: say("auto-start"),
  quit: say("quit"),
};

const flat = (items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])]);

describe("the local API's status line", () => {
  it.each([
    [view(), "Local API: off"],
    [view({ enabled: true }, { status: "starting" }), "Local API: starting"],
    [view({ enabled: true }, { status: "failed", lastError: "Port 1 is in use." }), "Local API: not running"],
    [view({ enabled: true }, listening), "Local API: 127.0.0.1:17878"],
    [
      view({ enabled: true, exposeOnLan: true }, listening),
      "Local API: 127.0.0.1:17878, open to the network",
    ],
  ])("%#", (of, line) => {
    expect(statusLine(of)).toBe(line);
  });
});

describe("the menus", () => {
  it("run their actions", () => {
    const items = flat(trayMenu(view({ enabled: true }), false, actions));
    for (const { click } of items) (click as (() => void) | undefined)?.();
    expect(said.splice(0)).toEqual([
      "show",
      "local-api false",
      "open static-docs",
      "open reference",
      "auto-start true",
      "quit",
    ]);
  });

  it("show the current state, and nothing that is not known yet", () => {
    const item = (menu: MenuItemConstructorOptions[], id: string) => menu.find((entry) => entry.id === id);
    expect(item(trayMenu(view({ enabled: true }), true, actions), "local-api")?.checked).toBe(true);
    expect(item(trayMenu(view(), true, actions), "auto-start")).toMatchObject({
      checked: true,
      enabled: true,
    });
    expect(item(trayMenu(view(), undefined, actions), "auto-start")).toMatchObject({ enabled: false });
  });

  it.each(["linux", "darwin", "win32"] as const)("S16 have no developer tools on %s", (platform) => {
    const items = flat(applicationMenu(platform, actions));
    expect(items.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["open-documentation", "open-reference", "quit"]),
    );
    for (const role of ["toggleDevTools", "viewMenu", "reload", "forceReload", "appMenu"])
      expect(items.map((item) => item.role)).not.toContain(role);
  });
});
