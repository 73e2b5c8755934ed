import type { ReactNode } from "react";
import { strings } from "../../strings/strings.ts";
import { Button } from "../button.tsx";
import type { Action } from "../use-action.ts";
import "../overlays/dialog.css";
import "./form.css";

interface Props {
  readonly submit: Action;
  readonly label: string;
  readonly tone?: "primary" | "danger";
  readonly canSubmit?: boolean;
  readonly onSubmit: () => Promise<void>;
  /** Without it there is no button to cancel. */
  readonly onCancel?: () => void;
  readonly children: ReactNode;
}

/** A form whose refusal stands above its buttons. */
export function Form({
  submit,
  label,
  tone = "primary",
  canSubmit = true,
  onSubmit,
  onCancel,
  children,
}: Props) {
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (canSubmit && !submit.busy) void submit.run(onSubmit);
      }}
    >
      {children}
      {submit.problem !== undefined && (
        <p className="problem" role="alert">
          {submit.problem}
        </p>
      )}
      <div className="dialog-actions">
        {onCancel !== undefined && <Button onClick={onCancel}>{strings.app.cancel}</Button>}
        <Button tone={tone} type="submit" busy={submit.busy} disabled={!canSubmit}>
          {label}
        </Button>
      </div>
    </form>
  );
}
