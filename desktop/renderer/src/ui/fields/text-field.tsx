import { Field } from "@base-ui/react/field";
import type { HTMLInputAutoCompleteAttribute, ReactNode } from "react";
import "./field.css";

interface Props {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: "text" | "password";
  readonly help?: string;
  readonly problem?: string | undefined;
  readonly autoComplete?: HTMLInputAutoCompleteAttribute;
  readonly maxLength?: number;
  /** Addresses and codes read from left to right in every language. */
  readonly isCode?: boolean;
  /** Stands beside the input. */
  readonly children?: ReactNode;
}

export function TextField(props: Props) {
  const { label, name, value, onChange, type = "text", help, problem, isCode = false, children } = props;
  return (
    <Field.Root className="field" name={name} invalid={problem !== undefined}>
      <Field.Label className="label">{label}</Field.Label>
      {help !== undefined && <Field.Description className="quiet">{help}</Field.Description>}
      <div className="field-line">
        <Field.Control
          className="input"
          type={type}
          value={value}
          onValueChange={(typed) => onChange(typed)}
          autoComplete={props.autoComplete ?? "off"}
          maxLength={props.maxLength}
          {...(isCode ? { dir: "ltr", spellCheck: false, autoCapitalize: "none" } : {})}
        />
        {children}
      </div>
      <Field.Error className="problem" match={problem !== undefined}>
        {problem}
      </Field.Error>
    </Field.Root>
  );
}
