import { useState } from "react";
import type { SubmitEvent } from "react";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { navigate } from "../../navigation/navigation.tsx";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/overlays/confirm-dialog.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { useAction } from "../../ui/use-action.ts";
import { nameProblem } from "../../people/account-input.ts";

import { BlockedCard } from "./blocked-card.tsx";
import { DeleteCard } from "./delete-card.tsx";
import { DownloadCard } from "./download-card.tsx";
import { PasswordForm } from "./password-form.tsx";

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
  const home = useReadable(accounts.state, ({ instances }) => instances.find(({ isHome }) => isHome));
  const account = home?.account ?? null;
  if (home === undefined || account === null) return null;
  return (
    <>
      <p className="lead">{text.lead(account.username, new URL(home.url).host)}</p>
      <Card title={text.profile}>
        <DisplayName known={account.displayName} />
      </Card>
      <Card title={text.password} help={text.passwordHelp}>
        <PasswordForm username={account.username} />
      </Card>
      <DownloadCard homeUrl={home.url} username={account.username} />
      <BlockedCard />
      <Card title={text.leaving} help={text.leavingHelp}>
        <SignOut />
      </Card>
      <DeleteCard homeUrl={home.url} username={account.username} userId={account.userId} />
    </>
  );
}
