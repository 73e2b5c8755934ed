import { useEffect, useRef } from "react";
import icon from "../assets/icon.svg";
import { RouteLink } from "../navigation/navigation.tsx";
import { HOME } from "../navigation/routes.ts";
import type { SettingsPage } from "../navigation/routes.ts";
import { useObservable } from "../state/use-observable.ts";
import { strings } from "../strings/strings.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { useDesktop, useOptionalDesktop } from "./desktop.tsx";
import { exposureOf } from "./local-api/exposure.ts";
import "./status-mark.css";

function LocalApiMark() {
  const state = useObservable(useDesktop().localApi);
  if (state.phase !== "ready") return null;
  const status = exposureOf(state.view) === "open" ? "exposed" : state.view.state.status;
  return (
    <span className="mark" data-status={status}>
      {strings.localApi.status[status]}
    </span>
  );
}

/** Interface 4.3, rule 5: opening it turns on what it needs. */
function Documentation() {
  const { localApi } = useDesktop();
  const state = useObservable(localApi);
  if (state.phase !== "ready") return null;
  const { settings, state: server } = state.view;
  const isServed = settings.staticDocsEnabled && server.status === "listening";
  return (
    <div className="sidebar-foot">
      <Button busy={state.busy.has("static-docs")} onClick={() => void localApi.open("static-docs")}>
        {strings.app.openDocumentation}
      </Button>
      {!isServed && (
        <p className="quiet">{strings.app.documentationHelp[server.status === "listening" ? "on" : "off"]}</p>
      )}
    </div>
  );
}

interface Props {
  readonly page: SettingsPage;
  readonly pages: readonly SettingsPage[];
}

/** Where the pages stand in one row, the one that is open is brought into sight. */
function useCurrentInSight(page: SettingsPage) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = nav.current?.querySelector("[aria-current]");
    current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [page]);
  return nav;
}

export function SettingsSidebar({ page, pages }: Props) {
  const desktop = useOptionalDesktop();
  const nav = useCurrentInSight(page);
  return (
    <header className="sidebar">
      <p className="brand">
        <img src={icon} alt="" width={32} height={32} />
        {strings.app.name}
      </p>
      <RouteLink to={HOME} className="back">
        <Icon name="back" size={18} />
        {strings.app.back}
      </RouteLink>
      <nav ref={nav} aria-label={strings.app.settings}>
        <ul>
          {pages.map((it) => (
            <li key={it}>
              <RouteLink to={{ area: "settings", page: it }} aria-current={it === page ? "page" : undefined}>
                {strings.app.pages[it]}
                {it === "local-api" && <LocalApiMark />}
              </RouteLink>
            </li>
          ))}
        </ul>
      </nav>
      {desktop !== null && <Documentation />}
    </header>
  );
}
