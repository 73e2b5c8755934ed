import { passwordStrength } from "@hearth/contracts";
import { strings } from "../../strings/strings.ts";
import "./password-strength.css";

/** AB13: how hard a new password is to guess, as far as the text alone tells. */
export function PasswordStrengthLine({ password, username }: { password: string; username: string }) {
  const strength = password === "" ? null : passwordStrength(password, username);
  return (
    <p className="strength" data-strength={strength ?? "none"} role="status">
      <span className="strength-bar" aria-hidden="true" />
      {strength === null ? "" : strings.auth.strength[strength]}
    </p>
  );
}
