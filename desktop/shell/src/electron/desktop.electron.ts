import { Notification, app, dialog, shell } from "electron";
import { HIDDEN_ARGUMENT } from "../files/auto-start-file.ts";
import type { AutoStartPort, BrowserPort, DialogPort, NotificationPort } from "../ports.ts";

export const createBrowserPort = (): BrowserPort => ({ open: (url) => shell.openExternal(url) });

export const createDialogPort = (): DialogPort => ({
  async ask({ message, detail, buttons }) {
    const options = {
      type: "warning" as const,
      message,
      detail,
      buttons: [...buttons],
      defaultId: 0,
      cancelId: 0,
    };
    return (await dialog.showMessageBox(options)).response;
  },
  showError(title, text) {
    dialog.showErrorBox(title, text);
  },
});

export function createNotificationPort(): NotificationPort {
  // Without a reference the notification is garbage-collected, and its click lost.
  const shown = new Set<Notification>();
  return {
    show({ title, body }, onClick) {
      if (!Notification.isSupported()) return;
      const notification = new Notification({ title, body });
      const forget = (): void => {
        shown.delete(notification);
      };
      shown.add(notification);
      notification.on("click", () => {
        forget();
        onClick();
      });
      notification.on("close", forget);
      notification.on("failed", forget);
      notification.show();
    },
  };
}

/** Login items of macOS and Windows. */
export const createLoginItemPort = (): AutoStartPort => ({
  isEnabled: async () => app.getLoginItemSettings({ args: [HIDDEN_ARGUMENT] }).openAtLogin,
  async set(enabled) {
    app.setLoginItemSettings({ openAtLogin: enabled, args: [HIDDEN_ARGUMENT] });
  },
});
