import { useState } from "react";
import type { SubmitEvent } from "react";
import { ClientProblem } from "@hearth/device";
import { useClient } from "../../context/client-context.tsx";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { PasswordStrengthLine } from "../../ui/fields/password-strength.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { useAction } from "../../ui/use-action.ts";
import { passwordProblem } from "../../people/account-input.ts";
import "../../ui/fields/form.css";

const text = strings.account;

/** AB13: the instance found it too easy to guess. */
const isAboutNewPassword = (error: unknown): boolean =>
  error instanceof ClientProblem && error.issues.some(({ path }) => path === "newPassword");

/** The two passwords, and what is wrong with each of them. */
function usePasswordChange() {
  const { accounts } = useClient();
  const { busy, problem, run } = useAction();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [isTried, setTried] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const flaw = isTried ? passwordProblem(next) : undefined;
  const isRefused = refused !== null && refused === next;
  const change = async (): Promise<void> => {
    try {
      await accounts.changePassword(current, next);
    } catch (error) {
      setRefused(isAboutNewPassword(error) ? next : null);
      throw error;
    }
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (busy || current === "" || passwordProblem(next) !== undefined) return;
    void run(change, text.passwordChanged).then((done) => {
      if (!done) return;
      setCurrent("");
      setNext("");
      setTried(false);
    });
  };
  const ofNext = flaw === undefined ? undefined : text.passwordProblems[flaw];
  const ofCurrent = isTried && current === "" ? text.passwordMissing : problem;
  return {
    ...{ busy, current, setCurrent, next, setNext, submit },
    currentProblem: isRefused ? undefined : ofCurrent,
    nextProblem: isRefused ? strings.auth.issues.passwordCommon : ofNext,
  };
}

export function PasswordForm({ username }: { username: string }) {
  const { busy, current, setCurrent, next, setNext, submit, currentProblem, nextProblem } =
    usePasswordChange();
  return (
    <form onSubmit={submit} noValidate className="form">
      {/* So that password managers know whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <TextField
        label={text.currentPassword}
        name="currentPassword"
        type="password"
        value={current}
        onChange={setCurrent}
        autoComplete="current-password"
        problem={currentProblem}
      />
      <TextField
        label={text.newPassword}
        name="newPassword"
        type="password"
        help={text.newPasswordHelp}
        value={next}
        onChange={setNext}
        autoComplete="new-password"
        problem={nextProblem}
      />
      <PasswordStrengthLine password={next} username={username} />
      <div>
        <Button type="submit" busy={busy}>
          {text.changePassword}
        </Button>
      </div>
    </form>
  );
}
