import { useEffect, useRef } from "react";
import { AboutScreen } from "../settings/about/about-screen.tsx";
import { GeneralScreen } from "../settings/general/general-screen.tsx";
import { LanBanner } from "../settings/local-api/lan-banner.tsx";
import { LocalApiScreen } from "../settings/local-api/local-api-screen.tsx";
import { TokenNotices } from "../settings/local-api/token-notices.tsx";
import { useObservable } from "../state/use-observable.ts";
import { strings } from "../strings.ts";
import { createLocation } from "./location.ts";
import { LiveRegion } from "./live-region.tsx";
import type { SettingsPage } from "./routes.ts";
import { Sidebar } from "./sidebar.tsx";

const place = createLocation(window);

function Screen({ page }: { page: SettingsPage }) {
  switch (page) {
    case "local-api":
      return <LocalApiScreen />;
    case "general":
      return <GeneralScreen />;
    case "about":
      return <AboutScreen />;
  }
}

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

export function Frame() {
  const { page } = useObservable(place);
  const heading = useHeadingFocus(page);
  const title = strings.app.pages[page];
  return (
    <div className="frame">
      <title>{strings.app.title(title)}</title>
      <button type="button" className="skip" onClick={() => heading.current?.focus()}>
        {strings.app.skip}
      </button>
      <Sidebar page={page} />
      <main className="content">
        <LanBanner page={page} />
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <Screen page={page} />
      </main>
      <LiveRegion />
      <TokenNotices />
    </div>
  );
}
