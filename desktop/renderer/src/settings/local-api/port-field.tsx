import { Field } from "@base-ui/react/field";
import { useState } from "react";
import type { SubmitEvent } from "react";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { readPort } from "./port.ts";
import { useLocalApi } from "./use-local-api.ts";
import "../../ui/card.css";
import "../../ui/fields/field.css";
import "./port-field.css";

const text = strings.localApi;

/** What is typed stays a draft until Enter or Apply; Escape takes it back. */
function usePortDraft() {
  const { store, view, isBusy, problemOf } = useLocalApi();
  const inForce = String(view.settings.port);
  const [draft, setDraft] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const write = (value: string | undefined): void => {
    setDraft(value === inForce ? undefined : value);
    setProblem(undefined);
    if (problemOf("port") !== undefined) store.forget("port");
  };
  const apply = async (): Promise<void> => {
    if (draft === undefined) return;
    const reading = readPort(draft);
    if (!reading.ok) setProblem(text.portProblems[reading.problem]);
    else if (await store.change("port", { port: reading.port })) setDraft(undefined);
  };
  return {
    value: draft ?? inForce,
    isDraft: draft !== undefined,
    busy: isBusy("port"),
    problem: problem ?? problemOf("port"),
    write,
    apply,
  };
}

export function PortField() {
  const { value, isDraft, busy, problem, write, apply } = usePortDraft();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void apply();
  };
  return (
    <form className="port" onSubmit={submit} noValidate>
      <Field.Root className="field" invalid={problem !== undefined}>
        <Field.Label className="label">{text.port}</Field.Label>
        <Field.Description className="quiet">{text.portHelp}</Field.Description>
        <div className="field-line">
          <Field.Control
            className="input port-input"
            dir="ltr"
            inputMode="numeric"
            autoComplete="off"
            value={value}
            onValueChange={(typed) => write(typed)}
            onKeyDown={(event) => (event.key === "Escape" ? write(undefined) : undefined)}
          />
          {isDraft && (
            <>
              <Button type="submit" tone="primary" busy={busy}>
                {text.applyPort}
              </Button>
              <Button busy={busy} onClick={() => write(undefined)}>
                {text.discardPort}
              </Button>
            </>
          )}
        </div>
        <Field.Error className="problem" match={problem !== undefined}>
          {problem}
        </Field.Error>
      </Field.Root>
    </form>
  );
}
