import type { DeepLink, HearthBridge, NotificationTarget } from "../bridge/bridge.ts";
import type { Platform } from "../client/ports.ts";
import { HOME } from "./frame/routes.ts";
import type { Route } from "./frame/routes.ts";

/** Where a link of another program leads. */
export function routeOfLink(link: DeepLink): Route {
  switch (link.page) {
    case "home":
      return HOME;
    case "local-api":
      return { area: "settings", page: "local-api" };
    case "invite":
      return { area: "invite", code: link.inviteId, server: link.signalServerUrl };
  }
}

/** A notification leads to its message; which channel that is in, the room finds out. */
export const routeOfNotification = ({ roomId, messageId }: NotificationTarget): Route => ({
  area: "room",
  roomId,
  channelId: null,
  messageId,
});

/** Follows links and notifications that were opened outside of the page. */
export function followLinks(
  platform: Pick<Platform, "notifications">,
  bridge: Pick<HearthBridge, "links"> | null,
  go: (route: Route) => void,
): void {
  bridge?.links.onOpen((link) => go(routeOfLink(link)));
  platform.notifications.onActivate((target) => go(routeOfNotification(target)));
}
