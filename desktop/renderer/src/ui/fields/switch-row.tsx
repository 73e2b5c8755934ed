import { Field } from "@base-ui/react/field";
import { Switch } from "@base-ui/react/switch";
import type { ReactNode } from "react";
import "../card.css";
import "./switch-row.css";

interface Props {
  readonly label: string;
  readonly help: string;
  readonly checked: boolean;
  /** While the app works on it, the switch shows what is still true and takes no further change. */
  readonly busy: boolean;
  readonly problem?: string | undefined;
  readonly onChange: (checked: boolean) => void;
  /** Stands between the text and the switch. */
  readonly action?: ReactNode;
}

export function SwitchRow({ label, help, checked, busy, problem, onChange, action }: Props) {
  return (
    <Field.Root className="row" invalid={problem !== undefined}>
      <div className="row-text">
        <Field.Label className="label">{label}</Field.Label>
        <Field.Description className="quiet">{help}</Field.Description>
        <Field.Error className="problem" match={problem !== undefined}>
          {problem}
        </Field.Error>
      </div>
      {action}
      <Switch.Root
        className="switch"
        nativeButton
        render={<button type="button" />}
        checked={checked}
        readOnly={busy}
        aria-busy={busy}
        onCheckedChange={onChange}
      >
        <Switch.Thumb className="switch-thumb" />
      </Switch.Root>
    </Field.Root>
  );
}
