import { version } from "../../package.json";
import type { Platform } from "../ports.ts";
import { deviceNameOf } from "./device-name.ts";
import { browserNotifications } from "./page-notifications.ts";
import { sessionSecrets } from "./page-storage.ts";
import { createPage } from "./page.ts";

/** A tab of a browser. */
export function createWebPlatform(): Platform {
  const page = createPage();
  return {
    ...page,
    kind: "web",
    bridge: null,
    version,
    deviceName: deviceNameOf(navigator.userAgent),
    secrets: sessionSecrets(page.session),
    notifications: browserNotifications(),
  };
}
