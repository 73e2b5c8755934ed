import { createContext, use } from "react";
import type { ReactNode } from "react";
import type { HearthBridge } from "../../bridge/bridge.ts";
import { createGeneralStore } from "../settings/general/general-store.ts";
import type { GeneralStore } from "../settings/general/general-store.ts";
import { createLocalApiStore } from "../settings/local-api/local-api-store.ts";
import type { LocalApiStore } from "../settings/local-api/local-api-store.ts";
import { stateAnnouncement } from "../settings/local-api/announcements.ts";
import { createAnnouncer } from "../state/announcer.ts";
import type { Announcer } from "../state/announcer.ts";
import { later } from "../state/time-limit.ts";
import { strings } from "../strings.ts";
import { hrefOf } from "./routes.ts";

/** What every part of the window may use of the desktop app. */
export interface Desktop {
  readonly version: string;
  readonly localApi: LocalApiStore;
  readonly general: GeneralStore;
  readonly announcer: Announcer;
}

export function createDesktop(bridge: HearthBridge): Desktop {
  const announcer = createAnnouncer();
  const localApi = createLocalApiStore(bridge, later);
  const general = createGeneralStore(bridge, later);
  localApi.onView((after, before) => {
    const text = stateAnnouncement(after, before, strings);
    if (text !== undefined) announcer.say(text);
  });
  bridge.links.onOpen((link) => {
    if (link.page === "local-api") window.location.hash = hrefOf({ area: "settings", page: link.page });
  });
  void localApi.load();
  void general.load();
  return { version: bridge.version, localApi, general, announcer };
}

const DesktopContext = createContext<Desktop | undefined>(undefined);

export function DesktopProvider({ desktop, children }: { desktop: Desktop; children: ReactNode }) {
  return <DesktopContext value={desktop}>{children}</DesktopContext>;
}

export function useDesktop(): Desktop {
  const desktop = use(DesktopContext);
  if (desktop === undefined) throw new Error("This part of the window needs the desktop app");
  return desktop;
}
