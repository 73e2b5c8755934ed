import { userRoutes } from "@hearth/contracts";
import type { OwnedServers } from "@hearth/contracts";
import { useState } from "react";
import { ClientProblem } from "@hearth/device";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { format } from "../../strings/format.ts";
import { navigate } from "../../navigation/navigation.tsx";
import { Form } from "../../ui/fields/form.tsx";
import { useAction } from "../../ui/use-action.ts";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Choice } from "../../ui/fields/choice.tsx";
import { PaneDialog } from "../../ui/overlays/pane-dialog.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import "./delete-card.css";

const text = strings.account.deletion;

interface Props {
  readonly homeUrl: string;
  readonly username: string;
  readonly userId: string;
}

/** The names of the servers that the account owns at home. */
function useOwned({ homeUrl, userId }: Props): readonly string[] {
  const all = useReadable(useClient().servers.state, (state) => state.servers);
  return [...all.values()]
    .filter(({ room }) => room.signalServerUrl === homeUrl && room.ownerId === userId)
    .map(({ room }) => room.name);
}

function WhatGoes({ homeUrl }: Pick<Props, "homeUrl">) {
  return (
    <>
      <ul className="deletion-list">
        {text.goes(new URL(homeUrl).host).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p className="note">{text.stays}</p>
    </>
  );
}

function DeleteDialog({ onClose, ...account }: Props & { onClose: () => void }) {
  const { accounts, rest, store } = useClient();
  const submit = useAction();
  const owned = useOwned(account);
  const [password, setPassword] = useState("");
  const [isWrong, setWrong] = useState(false);
  const [ownedServers, setOwnedServers] = useState<OwnedServers>("transfer");
  const remove = async (): Promise<void> => {
    const body = { currentPassword: password, ownedServers };
    try {
      await rest.call(account.homeUrl, userRoutes.deleteMe, { body });
    } catch (error) {
      if (!(error instanceof ClientProblem) || error.code !== "INVALID_CREDENTIALS") throw error;
      setWrong(true);
      return;
    }
    await accounts.signOut();
    await store.eraseAll().catch(() => undefined);
    navigate({ area: "login", authorize: null, returnUrl: null }, { replace: true });
  };
  return (
    <PaneDialog title={text.dialogTitle(account.username)} onClose={onClose}>
      <WhatGoes homeUrl={account.homeUrl} />
      <Form
        submit={submit}
        label={text.confirm}
        tone="danger"
        canSubmit={password !== ""}
        onSubmit={remove}
        onCancel={onClose}
      >
        {owned.length > 0 && (
          <Choice
            label={text.owned(format.list(owned))}
            value={ownedServers}
            options={(["transfer", "delete"] as const).map((value) => ({
              ...{ value, label: text.choices[value], help: text.choiceHelp[value] },
            }))}
            onChange={setOwnedServers}
          />
        )}
        <TextField
          label={text.password}
          name="currentPassword"
          type="password"
          value={password}
          onChange={(typed) => {
            setPassword(typed);
            setWrong(false);
          }}
          problem={isWrong ? text.wrongPassword : undefined}
          autoComplete="current-password"
        />
      </Form>
    </PaneDialog>
  );
}

/** AB12: the end of the account at home, for good. */
export function DeleteCard(account: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title={text.title} help={text.help}>
      <div>
        <Button tone="danger" onClick={() => setOpen(true)}>
          {text.button}
        </Button>
      </div>
      {isOpen && <DeleteDialog {...account} onClose={() => setOpen(false)} />}
    </Card>
  );
}
