import { RouteLink } from "../../navigation/navigation.tsx";
import type { Route } from "../../navigation/routes.ts";
import { useObservable } from "../../state/use-observable.ts";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { Callout } from "../../ui/callout.tsx";
import { exposureOf } from "./exposure.ts";
import type { LocalApiStore } from "./local-api-store.ts";
import "./lan-banner.css";

const text = strings.localApi;

/** Stays on every page for as long as other machines can reach the local API. */
export function LanBanner({ localApi, route }: { localApi: LocalApiStore; route: Route }) {
  const isReviewed = route.area === "settings" && route.page === "local-api";
  const state = useObservable(localApi);
  if (state.phase !== "ready" || exposureOf(state.view) !== "open") return null;
  const turnOff = (): void => void localApi.change("exposeOnLan", { exposeOnLan: false });
  return (
    <aside className="lan-banner" aria-label={strings.localApi.lan}>
      <Callout
        tone="warning"
        title={text.lanOpen}
        actions={
          <>
            {!isReviewed && (
              <RouteLink to={{ area: "settings", page: "local-api" }}>{text.lanReview}</RouteLink>
            )}
            <Button busy={state.busy.has("exposeOnLan")} onClick={turnOff}>
              {text.lanTurnOff}
            </Button>
          </>
        }
      >
        <p>{text.lanOpenHelp}</p>
      </Callout>
    </aside>
  );
}
