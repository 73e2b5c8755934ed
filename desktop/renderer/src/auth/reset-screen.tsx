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
import { useAction } from "../ui/use-action.ts";
import { AuthPage } from "./auth-page.tsx";
import { PasswordField } from "./password-field.tsx";
import { serverTyped } from "./sign-in-input.ts";

const text = strings.auth.reset;

interface Refusal {
  readonly field?: string;
  readonly whole?: string;
}

function refusalOf(error: Error): Refusal {
  if (error instanceof ClientProblem && error.code === "INVALID_REQUEST") {
    const isCode = error.issues.some(({ path }) => path === "code");
    return isCode ? { whole: text.gone } : { field: strings.auth.issues.passwordCommon };
  }
  if (error instanceof ClientProblem && error.refusal === "code_invalid") return { whole: text.gone };
  return { whole: problemSentence(error) };
}

/** AB11: a new password by the operator's link, which works once. */
export function ResetScreen({ route: { code, server } }: { route: Extract<Route, { area: "reset" }> }) {
  const { accounts, platform } = useClient();
  const [password, setPassword] = useState("");
  const [flaw, setFlaw] = useState<ReturnType<typeof passwordProblem>>();
  const { busy, error, run } = useAction();
  const url = serverTyped(server ?? platform.origin);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (busy || url === null) return;
    const found = passwordProblem(password);
    setFlaw(found);
    if (found !== undefined) return;
    void run(async () => {
      await accounts.resetPassword(url, code, password);
      navigate(HOME, { replace: true });
    });
  };
  const refusal: Refusal =
    flaw !== undefined
      ? { field: strings.account.passwordProblems[flaw] }
      : error === null
        ? {}
        : refusalOf(error);
  return (
    <AuthPage title={text.title} lead={url === null ? text.badLink : text.lead(new URL(url).host)}>
      <form className="auth-form" noValidate onSubmit={submit}>
        <PasswordField
          value={password}
          onChange={setPassword}
          isNew
          isCapsLock={false}
          label={strings.account.newPassword}
          problem={refusal.field}
        />
        {refusal.whole !== undefined && (
          <p className="problem" role="alert">
            {refusal.whole}
          </p>
        )}
        <Button type="submit" tone="primary" busy={busy}>
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
