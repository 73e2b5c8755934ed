import type { DeepLink, NotificationTarget } from "@hearth/bridge";
import type { Platform } from "@hearth/client";
import type { ClientStore } from "@hearth/store";
import { HOME } from "../navigation/routes.ts";
import type { Route } from "../navigation/routes.ts";

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

/** A notification leads to its message, in the channel where this device has it. */
export async function routeOfNotification(
  { roomId, messageId }: NotificationTarget,
  store: Pick<ClientStore, "message">,
): Promise<Route> {
  const message = await store.message(messageId).catch(() => undefined);
  const channelId = message?.channelId ?? null;
  return { area: "room", roomId, channelId, messageId: channelId === null ? null : messageId };
}

/** Follows links and notifications that were opened outside of the page. */
export function followLinks(
  { platform, store }: { platform: Pick<Platform, "notifications" | "bridge">; store: ClientStore },
  go: (route: Route) => void,
): void {
  platform.bridge?.links.onOpen((link) => go(routeOfLink(link)));
  platform.notifications.onActivate((target) => void routeOfNotification(target, store).then(go));
}
