import { createContext, use } from "react";
import type { ReactNode } from "react";
import type { HearthBridge } from "@hearth/bridge";
import type { Announcer } from "../state/announcer.ts";
import { later } from "../state/time-limit.ts";
import { strings } from "../strings/strings.ts";
import { createGeneralStore } from "./general/general-store.ts";
import type { GeneralStore } from "./general/general-store.ts";
import { stateAnnouncement } from "./local-api/announcements.ts";
import { createLocalApiStore } from "./local-api/local-api-store.ts";
import type { LocalApiStore } from "./local-api/local-api-store.ts";

/** What the window may use of the app behind it. */
export interface Desktop {
  readonly localApi: LocalApiStore;
  readonly general: GeneralStore;
}

export function createDesktop(bridge: HearthBridge, announcer: Announcer): Desktop {
  const localApi = createLocalApiStore(bridge, later);
  const general = createGeneralStore(bridge, later);
  localApi.onView((after, before) => {
    const text = stateAnnouncement(after, before, strings);
    if (text !== undefined) announcer.say(text);
  });
  void localApi.load();
  void general.load();
  return { localApi, general };
}

const DesktopContext = createContext<Desktop | null>(null);

export function DesktopProvider({ desktop, children }: { desktop: Desktop | null; children: ReactNode }) {
  return <DesktopContext value={desktop}>{children}</DesktopContext>;
}

/** `null` in a browser, where there is no app behind the page. */
export const useOptionalDesktop = (): Desktop | null => use(DesktopContext);

export function useDesktop(): Desktop {
  const desktop = useOptionalDesktop();
  if (desktop === null) throw new Error("This part of the window needs the desktop app");
  return desktop;
}
