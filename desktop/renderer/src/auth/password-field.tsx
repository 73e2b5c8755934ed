import { useState } from "react";
import { strings } from "../strings/strings.ts";
import { Button } from "../ui/button.tsx";
import { PasswordStrengthLine } from "../ui/fields/password-strength.tsx";
import { TextField } from "../ui/fields/text-field.tsx";

const text = strings.auth.fields;

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isNew: boolean;
  readonly problem: string | undefined;
  readonly isCapsLock: boolean;
  /** Which the password must not be. */
  readonly username?: string;
  readonly label?: string;
}

export function PasswordField({ value, onChange, isNew, problem, isCapsLock, username, label }: Props) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="auth-password">
      <TextField
        label={label ?? text.password}
        name="password"
        type={isShown ? "text" : "password"}
        autoComplete={isNew ? "new-password" : "current-password"}
        {...(isNew ? { help: text.newPasswordHelp } : {})}
        {...{ value, onChange, problem }}
        isCode
      >
        <Button
          tone="quiet"
          aria-label={isShown ? text.hidePassword : text.showPassword}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? text.hide : text.show}
        </Button>
      </TextField>
      {isNew && <PasswordStrengthLine password={value} username={username ?? ""} />}
      <p className="note" role="status" hidden={!isCapsLock}>
        {isCapsLock ? text.capsLock : ""}
      </p>
    </div>
  );
}
