import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import { useId } from "react";
import "./choice.css";

interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly help?: string;
}

interface Props<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly Option<Value>[];
  readonly onChange: (value: Value) => void;
}

/** One of a few, all of them in sight. */
export function Choice<Value extends string>({ label, value, options, onChange }: Props<Value>) {
  const id = useId();
  return (
    <div className="choice">
      <p className="label" id={id}>
        {label}
      </p>
      <RadioGroup
        className="choice-options"
        aria-labelledby={id}
        value={value}
        onValueChange={(chosen) => onChange(chosen)}
      >
        {options.map((option) => (
          <label key={option.value} className="choice-option">
            <Radio.Root className="radio" value={option.value}>
              <Radio.Indicator className="radio-dot" />
            </Radio.Root>
            <span>
              {option.label}
              {option.help !== undefined && <span className="quiet choice-help">{option.help}</span>}
            </span>
          </label>
        ))}
      </RadioGroup>
    </div>
  );
}
