import { BrowserWindow, screen } from "electron";
import type { AppWindow, WindowPort } from "../ports.ts";

const wrap = (window: BrowserWindow): AppWindow => ({
  contentsId: window.webContents.id,
  load: (url) => window.loadURL(url),
  reload() {
    window.webContents.reload();
  },
  show() {
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  },
  hide() {
    window.hide();
  },
  maximize() {
    window.maximize();
  },
  bounds: () => ({ bounds: window.getNormalBounds(), maximized: window.isMaximized() }),
  send(event, payload) {
    window.webContents.send(event, payload);
  },
  destroy() {
    window.destroy();
  },
});

export const createWindowPort = (): WindowPort => ({
  workAreas: () => screen.getAllDisplays().map(({ workArea }) => workArea),
  open(options, events) {
    const window = new BrowserWindow(options);
    window.once("ready-to-show", () => {
      events.readyToShow();
    });
    window.on("close", (event) => {
      if (!events.closing()) event.preventDefault();
    });
    window.on("closed", () => {
      events.closed();
    });
    window.on("unresponsive", () => {
      events.unresponsive();
    });
    window.on("responsive", () => {
      events.responsive();
    });
    window.webContents.on("render-process-gone", (_event, { reason }) => {
      events.gone(reason);
    });
    return wrap(window);
  },
});
