import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { Callout } from "../../ui/callout.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { SwitchRow } from "../../ui/fields/switch-row.tsx";
import { otherPort } from "./port.ts";
import { useLocalApi } from "./use-local-api.ts";
import "../status-mark.css";
import "./state-card.css";

const text = strings.localApi;

function Addresses({ urls }: { urls: readonly string[] }) {
  return (
    <ul className="addresses" aria-label={urls.length === 1 ? text.address : text.addresses}>
      {urls.map((url, index) => (
        <li key={url}>
          <code dir="ltr">{url}</code>
          {urls.length > 1 && (
            <span className="quiet">{index === 0 ? text.onThisDevice : text.onNetwork}</span>
          )}
          <CopyButton text={url} what={url} />
        </li>
      ))}
    </ul>
  );
}

/** A way out: the same again, or another port, which is only taken when it is chosen (rule LA8). */
function FailureActions() {
  const { store, view, isBusy } = useLocalApi();
  const offered = otherPort(view.settings.port);
  const busy = isBusy("port") || isBusy("enabled");
  const usePort = (port: number): void => void store.change("port", { port, enabled: true });
  return (
    <>
      <Button tone="primary" busy={busy} onClick={() => usePort(offered)}>
        {text.usePort(offered)}
      </Button>
      <Button busy={busy} onClick={() => void store.change("enabled", { enabled: true })}>
        {strings.app.retry}
      </Button>
    </>
  );
}

export function StateCard() {
  const { store, view, isBusy, problemOf } = useLocalApi();
  const { settings, state } = view;
  return (
    <section className="card" aria-label={text.enabled}>
      <SwitchRow
        label={text.enabled}
        help={text.enabledHelp}
        checked={settings.enabled}
        busy={isBusy("enabled")}
        problem={problemOf("enabled")}
        onChange={(enabled) => void store.change("enabled", { enabled })}
      />
      <div className="state">
        <span className="status" data-status={state.status}>
          {text.status[state.status]}
        </span>
        {state.urls.length > 0 && <Addresses urls={state.urls} />}
        {state.status === "stopped" && <span className="quiet">{text.noAddress}</span>}
      </div>
      {state.lastError !== null && (
        <Callout
          tone="bad"
          title={state.lastError}
          actions={state.status === "failed" ? <FailureActions /> : undefined}
        />
      )}
    </section>
  );
}
