import type { Log } from "@hearth/runtime";
import type { LocalDocument } from "@hearth/bridge";
import { statusLine } from "../files/local-api-status.ts";
import { applicationMenu, trayMenu } from "./menus.ts";
import type { MenuActions } from "./menus.ts";
import type { AutoStartPort, DialogPort, LocalApi, MenuPort, TrayPort } from "../ports.ts";
import { STRINGS } from "../strings.ts";

export interface BackgroundOptions {
  readonly tray: TrayPort;
  readonly menu: MenuPort;
  readonly dialog: DialogPort;
  readonly autoStart: AutoStartPort;
  readonly localApi: LocalApi;
  readonly openDocument: (document: LocalDocument) => Promise<void>;
  readonly platform: NodeJS.Platform;
  readonly showWindow: () => void;
  readonly quit: () => void;
  readonly log: Log;
}

/** The tray and the menus, updated with the local API's state. */
export interface Background {
  /** False if the desktop has no tray. */
  start(): boolean;
  refresh(): void;
  stop(): void;
}

export function createBackground(options: BackgroundOptions): Background {
  const { tray, menu, dialog, autoStart, localApi, log } = options;
  let startsWithComputer: boolean | undefined;
  let shown = false;

  const attempt = (what: string, work: Promise<unknown>, failed?: () => void): void => {
    work.catch((error: unknown) => {
      log.error({ err: error }, what);
      failed?.();
    });
  };
  const readAutoStart = async (): Promise<void> => {
    startsWithComputer = await autoStart.isEnabled();
    refresh();
  };
  const actions: MenuActions = {
    showWindow: options.showWindow,
    quit: options.quit,
    openDocument: (document) => {
      attempt("a document could not be opened", options.openDocument(document), () => {
        options.showWindow();
        dialog.showError(STRINGS.documentFailed, localApi.view().state.lastError ?? "");
      });
    },
    setLocalApi: (enabled) => {
      attempt("the local API could not be switched", localApi.change({ enabled }));
    },
    setAutoStart: (enabled) => {
      attempt("auto-start could not be changed", autoStart.set(enabled).then(readAutoStart));
    },
  };

  const refresh = (): void => {
    if (!shown) return;
    const view = localApi.view();
    tray.update(`${STRINGS.appName}\n${statusLine(view)}`, trayMenu(view, startsWithComputer, actions));
  };

  return {
    start() {
      menu.set(applicationMenu(options.platform, actions));
      shown = tray.show(options.showWindow);
      refresh();
      attempt("auto-start could not be read", readAutoStart());
      return shown;
    },
    refresh,
    stop() {
      shown = false;
      tray.remove();
    },
  };
}
