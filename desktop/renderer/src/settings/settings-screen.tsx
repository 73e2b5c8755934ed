import { useCallback, useEffect, useRef } from "react";
import type { ComponentType } from "react";
import { useAnnouncer } from "../ui/announcer.tsx";
import type { SettingsPage } from "../navigation/routes.ts";
import { strings } from "../strings/strings.ts";
import { AboutScreen } from "./about/about-screen.tsx";
import { AccountScreen } from "./account/account-screen.tsx";
import { AppearanceScreen } from "./appearance/appearance-screen.tsx";
import { useOptionalDesktop } from "./desktop.tsx";
import { DevicesScreen } from "./devices/devices-screen.tsx";
import { useSessionNotices } from "../context/opened-sessions.ts";
import { GeneralScreen } from "./general/general-screen.tsx";
import { KeyboardScreen } from "./keyboard/keyboard-screen.tsx";
import { LocalApiScreen } from "./local-api/local-api-screen.tsx";
import { NotificationsScreen } from "./notifications/notifications-screen.tsx";
import { InstancesScreen } from "./instances/instances-screen.tsx";
import { pagesOf } from "./pages.ts";
import { SettingsSidebar } from "./settings-sidebar.tsx";
import "./settings-screen.css";

const SCREENS: Readonly<Record<SettingsPage, ComponentType>> = {
  account: AccountScreen,
  devices: DevicesScreen,
  servers: InstancesScreen,
  "local-api": LocalApiScreen,
  appearance: AppearanceScreen,
  notifications: NotificationsScreen,
  keyboard: KeyboardScreen,
  general: GeneralScreen,
  about: AboutScreen,
};

/** Moves the focus to the heading of a page that was navigated to, but not on the first one. */
function useHeadingFocus(page: SettingsPage) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    heading.current?.focus();
    window.scrollTo(0, 0);
  }, [page]);
  return heading;
}

/** The settings, of which a browser has those that need no app behind the page. */
export function SettingsScreen({ page: wanted }: { page: SettingsPage }) {
  const pages = pagesOf(useOptionalDesktop() !== null);
  const page = pages.includes(wanted) ? wanted : "account";
  const heading = useHeadingFocus(page);
  const Screen = SCREENS[page];
  const title = strings.app.pages[page];
  const { say } = useAnnouncer();
  const onOpened = useCallback((device: string) => say(strings.account.devices.opened(device)), [say]);
  useSessionNotices(onOpened);
  return (
    <div className="frame">
      <title>{strings.app.title(title)}</title>
      <button type="button" className="skip" onClick={() => heading.current?.focus()}>
        {strings.app.skip}
      </button>
      <SettingsSidebar page={page} pages={pages} />
      <main className="content">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <Screen />
      </main>
    </div>
  );
}
