import type { MenuItemConstructorOptions } from "electron";
import type { LocalApiView, LocalDocument } from "@hearth/bridge";
import { statusLine } from "../files/local-api-status.ts";
import { STRINGS } from "../strings.ts";

/** The actions of the menus. */
export interface MenuActions {
  showWindow(): void;
  openDocument(document: LocalDocument): void;
  setLocalApi(enabled: boolean): void;
  setAutoStart(enabled: boolean): void;
  quit(): void;
}

const separator: MenuItemConstructorOptions = { type: "separator" };

const documents = (actions: MenuActions): MenuItemConstructorOptions[] => [
  {
    id: "open-documentation",
    label: STRINGS.openDocumentation,
    click: () => {
      actions.openDocument("static-docs");
    },
  },
  {
    id: "open-reference",
    label: STRINGS.openReference,
    click: () => {
      actions.openDocument("reference");
    },
  },
];

const quit = (actions: MenuActions): MenuItemConstructorOptions => ({
  id: "quit",
  label: STRINGS.quit,
  accelerator: "CommandOrControl+Q",
  click: () => {
    actions.quit();
  },
});

/** The tray menu; `autoStart` is `undefined` until it is known. */
export const trayMenu = (
  view: LocalApiView,
  autoStart: boolean | undefined,
  actions: MenuActions,
): MenuItemConstructorOptions[] => [
  {
    id: "show",
    label: STRINGS.open,
    click: () => {
      actions.showWindow();
    },
  },
  separator,
  { id: "status", label: statusLine(view), enabled: false },
  {
    id: "local-api",
    label: STRINGS.localApi,
    type: "checkbox",
    checked: view.settings.enabled,
    click: () => {
      actions.setLocalApi(!view.settings.enabled);
    },
  },
  ...documents(actions),
  separator,
  {
    id: "auto-start",
    label: STRINGS.autoStart,
    type: "checkbox",
    checked: autoStart === true,
    enabled: autoStart !== undefined,
    click: () => {
      actions.setAutoStart(autoStart !== true);
    },
  },
  quit(actions),
];

/** The menu bar, without developer tools and reload. */
export function applicationMenu(
  platform: NodeJS.Platform,
  actions: MenuActions,
): MenuItemConstructorOptions[] {
  const application: MenuItemConstructorOptions[] =
    platform === "darwin"
      ? [
          {
            label: STRINGS.appName,
            submenu: [
              { role: "about" },
              separator,
              { role: "hide" },
              { role: "hideOthers" },
              { role: "unhide" },
              separator,
              quit(actions),
            ],
          },
        ]
      : [{ label: STRINGS.file, submenu: [quit(actions)] }];
  return [
    ...application,
    { label: STRINGS.edit, role: "editMenu" },
    {
      label: STRINGS.view,
      submenu: [
        { role: "resetZoom" },
        { role: "zoomIn" },
        { role: "zoomOut" },
        separator,
        { role: "togglefullscreen" },
      ],
    },
    { label: STRINGS.window, role: "windowMenu" },
    { label: STRINGS.help, role: "help", submenu: documents(actions) },
  ];
}
