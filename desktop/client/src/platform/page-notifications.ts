import type { HearthBridge, NotificationTarget } from "@hearth/bridge";
import type { NotificationLevel, Notifications } from "../ports.ts";

const LEVELS: Readonly<Record<NotificationPermission, NotificationLevel>> = {
  granted: "granted",
  denied: "denied",
  default: "not-asked",
};

/** Browser notifications, which need a secure context. */
export function browserNotifications(): Notifications {
  const listeners = new Set<(target: NotificationTarget) => void>();
  const isSupported = "Notification" in window && window.isSecureContext;
  const activate = (target: NotificationTarget): void => {
    window.focus();
    listeners.forEach((listener) => listener(target));
  };
  return {
    level: () => (isSupported ? LEVELS[Notification.permission] : "unsupported"),
    ask: async () => (isSupported ? LEVELS[await Notification.requestPermission()] : "unsupported"),
    show({ title, body, tag, target }) {
      try {
        const notification = new Notification(title, { body, tag });
        notification.onclick = () => {
          notification.close();
          activate(target);
        };
        return () => notification.close();
      } catch {
        // Mobile browsers have the constructor, but only workers may show notifications.
        return () => undefined;
      }
    },
    onActivate(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Notifications of the operating system, shown by the app. They cannot be withdrawn. */
export const appNotifications = ({ notifications }: HearthBridge): Notifications => ({
  level: () => "granted",
  ask: async () => "granted",
  show({ title, body, target }) {
    notifications.show({ title, body, target }).catch(() => undefined);
    return () => undefined;
  },
  onActivate: (listener) => notifications.onActivate(listener),
});
