import type { HearthBridge } from "@hearth/bridge";
import type { Platform } from "../ports.ts";
import { deviceNameOf } from "./device-name.ts";
import { appNotifications } from "./page-notifications.ts";
import { createPage } from "./page.ts";

/** The window of the desktop app. */
export const createDesktopPlatform = (bridge: HearthBridge): Platform => ({
  ...createPage(),
  kind: "desktop",
  bridge,
  version: bridge.version,
  deviceName: deviceNameOf(navigator.userAgent, "Hearth"),
  secrets: bridge.secrets,
  notifications: appNotifications(bridge),
});
