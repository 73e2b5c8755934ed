import path from "node:path";
import process from "node:process";
import { app, powerMonitor } from "electron";
import type { AppPort } from "../ports.ts";
import { LINK_SCHEME } from "../window/deep-link.ts";

/** Chromium adds arguments of its own to those of a second start, so all of them are searched for links. */
export function createAppPort(): AppPort {
  app.setName("Hearth");
  app.enableSandbox();
  if (!app.commandLine.hasSwitch("user-data-dir"))
    app.setPath("userData", path.join(app.getPath("appData"), "Hearth"));
  return {
    isPackaged: app.isPackaged,
    resourcesDirectory: app.isPackaged ? process.resourcesPath : undefined,
    dataDirectory: app.getPath("userData"),
    configDirectory: app.getPath("appData"),
    claimInstance: () => app.requestSingleInstanceLock(),
    registerLinks() {
      // Unpackaged, the system would start a bare Electron for the link.
      if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
    },
    listen(events) {
      app.on("second-instance", (_event, argv) => {
        events.secondInstance(argv);
      });
      app.on("open-url", (event, url) => {
        event.preventDefault();
        events.openUrl(url);
      });
      app.on("activate", () => {
        events.activate();
      });
      app.on("before-quit", (event) => {
        event.preventDefault();
        events.quitRequested();
      });
      // Without a listener Electron quits with its last window.
      app.on("window-all-closed", () => undefined);
      app.on("child-process-gone", (_event, { type, reason }) => {
        events.processGone({ type, reason });
      });
      // The system only waits for us at shutdown if it is asked to.
      void app.whenReady().then(() => {
        powerMonitor.on("shutdown", (event?: { preventDefault(): void }) => {
          event?.preventDefault();
          events.quitRequested();
        });
      });
    },
    whenReady: () => app.whenReady(),
    exit(code) {
      app.exit(code);
    },
  };
}
