import { Field } from "@base-ui/react/field";
import "./field.css";

interface Props {
  readonly label: string;
  readonly help?: string;
  readonly value: string;
  readonly maxLength: number;
  readonly onChange: (value: string) => void;
}

/** A few lines of text. */
export function TextBlock({ label, help, value, maxLength, onChange }: Props) {
  return (
    <Field.Root className="field">
      <Field.Label className="label">{label}</Field.Label>
      {help !== undefined && <Field.Description className="quiet">{help}</Field.Description>}
      <Field.Control
        className="input text-block"
        value={value}
        onValueChange={(typed) => onChange(typed)}
        render={<textarea rows={3} maxLength={maxLength} />}
      />
    </Field.Root>
  );
}
