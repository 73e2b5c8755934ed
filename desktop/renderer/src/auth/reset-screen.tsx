import { useState } from "react";
import type { SubmitEvent } from "react";
import { ClientProblem } from "@hearth/device";
import { useClient } from "../context/client-context.tsx";
import { RouteLink, navigate } from "../navigation/navigation.tsx";
import { HOME } from "../navigation/routes.ts";
import type { Route } from "../navigation/routes.ts";
import { problemSentence } from "../strings/problem-sentence.ts";
import { passwordProblem } from "../people/account-input.ts";
import { strings } from "../strings/strings.ts";
import { Button } from "../ui/button.tsx";
import { AuthPage } from "./auth-page.tsx";
import { PasswordField } from "./password-field.tsx";
import { serverTyped } from "./sign-in-input.ts";

const text = strings.auth.reset;

interface Outcome {
  readonly busy: boolean;
  readonly field?: string;
  readonly whole?: string;
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof ClientProblem && error.code === "INVALID_REQUEST") {
    const isCode = error.issues.some(({ path }) => path === "code");
    return isCode
      ? { busy: false, whole: text.gone }
      : { busy: false, field: strings.auth.issues.passwordCommon };
  }
  if (error instanceof ClientProblem && error.refusal === "code_invalid")
    return { busy: false, whole: text.gone };
  return { busy: false, whole: problemSentence(error) };
}

/** AB11: a new password by the operator's link, which works once. */
export function ResetScreen({ route: { code, server } }: { route: Extract<Route, { area: "reset" }> }) {
  const { accounts, platform } = useClient();
  const [password, setPassword] = useState("");
  const [outcome, setOutcome] = useState<Outcome>({ busy: false });
  const url = serverTyped(server ?? platform.origin);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (outcome.busy || url === null) return;
    const flaw = passwordProblem(password);
    if (flaw !== undefined) {
      setOutcome({ busy: false, field: strings.account.passwordProblems[flaw] });
      return;
    }
    setOutcome({ busy: true });
    try {
      await accounts.resetPassword(url, code, password);
      navigate(HOME, { replace: true });
    } catch (error) {
      setOutcome(outcomeOf(error));
    }
  };
  return (
    <AuthPage title={text.title} lead={url === null ? text.badLink : text.lead(new URL(url).host)}>
      <form className="auth-form" noValidate onSubmit={(event) => void submit(event)}>
        <PasswordField
          value={password}
          onChange={setPassword}
          isNew
          isCapsLock={false}
          label={strings.account.newPassword}
          problem={outcome.field}
        />
        {outcome.whole !== undefined && (
          <p className="problem" role="alert">
            {outcome.whole}
          </p>
        )}
        <Button type="submit" tone="primary" busy={outcome.busy}>
          {text.submit}
        </Button>
      </form>
      <p className="auth-other">
        {text.other}{" "}
        <RouteLink to={{ area: "login", authorize: null, returnUrl: null }}>
          {strings.auth.login.submit}
        </RouteLink>
      </p>
    </AuthPage>
  );
}
