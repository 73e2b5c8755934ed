import { useState } from "react";
import type { SubmitEvent } from "react";
import { useClient, useReadable } from "../../client-context.tsx";
import { navigate } from "../../frame/navigation.tsx";
import { strings } from "../../strings.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useAction } from "../use-action.ts";
import { nameProblem, passwordProblem } from "./account-input.ts";

const text = strings.account;

function DisplayName({ known }: { known: string }) {
  const { accounts } = useClient();
  const { busy, problem, run } = useAction();
  const [typed, setTyped] = useState<string>();
  const value = typed ?? known;
  const flaw = typed === undefined ? undefined : nameProblem(typed);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (flaw !== undefined || value === known || busy) return;
    void run(() => accounts.rename(value.trim()), text.nameChanged).then((done) =>
      done ? setTyped(undefined) : undefined,
    );
  };
  return (
    <form onSubmit={submit} noValidate>
      <TextField
        label={text.displayName}
        name="displayName"
        help={text.displayNameHelp}
        value={value}
        onChange={setTyped}
        autoComplete="nickname"
        maxLength={64}
        problem={flaw === undefined ? problem : text.nameProblems[flaw]}
      >
        {value !== known && (
          <Button type="submit" tone="primary" busy={busy}>
            {text.save}
          </Button>
        )}
      </TextField>
    </form>
  );
}

function Password({ username }: { username: string }) {
  const { accounts } = useClient();
  const { busy, problem, run } = useAction();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [isTried, setTried] = useState(false);
  const flaw = isTried ? passwordProblem(next) : undefined;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (busy || current === "" || passwordProblem(next) !== undefined) return;
    void run(() => accounts.changePassword(current, next), text.passwordChanged).then((done) => {
      if (!done) return;
      setCurrent("");
      setNext("");
      setTried(false);
    });
  };
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
        problem={isTried && current === "" ? text.passwordMissing : problem}
      />
      <TextField
        label={text.newPassword}
        name="newPassword"
        type="password"
        help={text.newPasswordHelp}
        value={next}
        onChange={setNext}
        autoComplete="new-password"
        problem={flaw === undefined ? undefined : text.passwordProblems[flaw]}
      />
      <div>
        <Button type="submit" busy={busy}>
          {text.changePassword}
        </Button>
      </div>
    </form>
  );
}

function SignOut() {
  const { accounts } = useClient();
  const { busy, problem, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  const leave = (): void => {
    const leaving = run(() => accounts.signOut());
    // Servers that take long to be told do not hold anybody here.
    if (accounts.state.getState().phase === "signed-out")
      navigate({ area: "login", authorize: null, returnUrl: null }, { replace: true });
    void leaving;
  };
  return (
    <>
      <div>
        <Button tone="danger" busy={busy} onClick={() => setAsking(true)}>
          {text.signOut}
        </Button>
      </div>
      {problem !== undefined && <p className="problem">{problem}</p>}
      <ConfirmDialog
        open={isAsking}
        title={text.signOutDialog.title}
        confirm={text.signOut}
        onClose={() => setAsking(false)}
        onConfirm={leave}
      >
        <p>{text.signOutDialog.body}</p>
      </ConfirmDialog>
    </>
  );
}

/** Of the account at home. */
export function AccountScreen() {
  const { accounts } = useClient();
  const home = useReadable(accounts.state, ({ servers }) => servers.find(({ isHome }) => isHome));
  const account = home?.account ?? null;
  if (home === undefined || account === null) return null;
  return (
    <>
      <p className="lead">{text.lead(account.username, new URL(home.url).host)}</p>
      <Card title={text.profile}>
        <DisplayName known={account.displayName} />
      </Card>
      <Card title={text.password} help={text.passwordHelp}>
        <Password username={account.username} />
      </Card>
      <Card title={text.leaving} help={text.leavingHelp}>
        <SignOut />
      </Card>
    </>
  );
}
