import type { LocalDocument } from "@hearth/bridge";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { SwitchRow } from "../../ui/fields/switch-row.tsx";
import { useLocalApi } from "./use-local-api.ts";

const text = strings.localApi;

const DOCUMENTS = [
  { document: "reference", setting: "referenceDocsEnabled", label: text.reference, help: text.referenceHelp },
  {
    document: "static-docs",
    setting: "staticDocsEnabled",
    label: text.staticDocs,
    help: text.staticDocsHelp,
  },
] as const;

function DocumentRow({ document, setting, label, help }: (typeof DOCUMENTS)[number]) {
  const { store, view, isBusy, problemOf } = useLocalApi();
  const isServed = view.settings[setting] && view.state.status === "listening";
  const action = isServed ? text.open : text.turnOnAndOpen;
  const open = (it: LocalDocument): void => void store.open(it);
  return (
    <SwitchRow
      label={label}
      help={help}
      checked={view.settings[setting]}
      busy={isBusy(setting)}
      problem={problemOf(setting) ?? problemOf(document)}
      onChange={(checked) => void store.change(setting, { [setting]: checked })}
      action={
        <Button
          aria-label={text.openNamed(action, label)}
          busy={isBusy(document)}
          onClick={() => open(document)}
        >
          {action}
        </Button>
      }
    />
  );
}

export function DocumentsCard() {
  return (
    <Card title={text.documents} help={text.documentsHelp}>
      {DOCUMENTS.map((it) => (
        <DocumentRow key={it.document} {...it} />
      ))}
    </Card>
  );
}
