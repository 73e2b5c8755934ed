import { useDesktop } from "../../frame/desktop.tsx";
import { HOME, hrefOf } from "../../frame/routes.ts";
import type { SettingsPage } from "../../frame/routes.ts";
import { useObservable } from "../../state/use-observable.ts";
import { strings } from "../../strings.ts";
import { Button } from "../../ui/button.tsx";
import { Callout } from "../../ui/callout.tsx";
import { exposureOf } from "./exposure.ts";

const text = strings.localApi;

/** Stays on every page for as long as other machines can reach the local API. */
export function LanBanner({ page }: { page: SettingsPage }) {
  const { localApi } = useDesktop();
  const state = useObservable(localApi);
  if (state.phase !== "ready" || exposureOf(state.view) !== "open") return null;
  const turnOff = (): void => void localApi.change("exposeOnLan", { exposeOnLan: false });
  return (
    <Callout
      tone="warning"
      title={text.lanOpen}
      actions={
        <>
          {page !== HOME.page && <a href={hrefOf(HOME)}>{text.lanReview}</a>}
          <Button busy={state.busy.has("exposeOnLan")} onClick={turnOff}>
            {text.lanTurnOff}
          </Button>
        </>
      }
    >
      <p>{text.lanOpenHelp}</p>
    </Callout>
  );
}
