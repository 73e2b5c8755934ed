import { useState } from "react";
import { strings } from "../../strings/strings.ts";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/overlays/confirm-dialog.tsx";
import { SwitchRow } from "../../ui/fields/switch-row.tsx";
import { exposureOf } from "./exposure.ts";
import { PortField } from "./port-field.tsx";
import { useLocalApi } from "./use-local-api.ts";

const text = strings.localApi;

/** Turning it on is asked about first, in plain words; turning it off is not. */
function LanSwitch() {
  const { store, view, isBusy, problemOf } = useLocalApi();
  const [isAsking, setAsking] = useState(false);
  const expose = (exposeOnLan: boolean): void => void store.change("exposeOnLan", { exposeOnLan });
  return (
    <>
      <SwitchRow
        label={text.lan}
        help={text.lanHelp}
        checked={view.settings.exposeOnLan}
        busy={isBusy("exposeOnLan")}
        problem={problemOf("exposeOnLan")}
        onChange={(checked) => (checked ? setAsking(true) : expose(false))}
      />
      {exposureOf(view) === "armed" && <p className="note">{text.lanArmed}</p>}
      <ConfirmDialog
        open={isAsking}
        title={text.lanDialog.title}
        confirm={text.lanDialog.confirm}
        onClose={() => setAsking(false)}
        onConfirm={() => expose(true)}
      >
        <ul>
          {text.lanDialog.points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </>
  );
}

export function ConnectionCard() {
  return (
    <Card title={text.connection}>
      <PortField />
      <LanSwitch />
    </Card>
  );
}
