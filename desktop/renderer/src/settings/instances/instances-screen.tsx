import { useState } from "react";
import type { SubmitEvent } from "react";
import type { Instance } from "@hearth/client";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { RouteLink } from "../../navigation/navigation.tsx";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/overlays/confirm-dialog.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { useAction } from "../../ui/use-action.ts";
import { ConnectionLine } from "./connection-line.tsx";
import { moved } from "./order.ts";
import "../rows.css";

const text = strings.account.instances;

function Moves({ url, name }: { url: string; name: string }) {
  const { accounts } = useClient();
  const foreign = useReadable(accounts.state, ({ instances }) => instances).filter(({ isHome }) => !isHome);
  const urls = foreign.map((server) => server.url);
  const index = urls.indexOf(url);
  const move = (by: -1 | 1): void => accounts.reorder(moved(urls, index, by));
  if (urls.length < 2) return null;
  return (
    <>
      <Button aria-label={text.upNamed(name)} busy={index === 0} onClick={() => move(-1)}>
        ↑
      </Button>
      <Button aria-label={text.downNamed(name)} busy={index === urls.length - 1} onClick={() => move(1)}>
        ↓
      </Button>
    </>
  );
}

function Foreign({ server, name }: { server: Instance; name: string }) {
  const { accounts } = useClient();
  const { busy, problem, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  const { url, authorization } = server;
  return (
    <>
      <div className="server-actions">
        <Moves url={url} name={name} />
        {authorization === "authorized" && (
          <Button
            busy={busy}
            aria-label={text.signOutNamed(name)}
            onClick={() => void run(() => accounts.signOutOf(url), text.signedOut(name))}
          >
            {text.signOut}
          </Button>
        )}
        <Button busy={busy} aria-label={text.removeNamed(name)} onClick={() => setAsking(true)}>
          {text.remove}
        </Button>
      </div>
      {problem !== undefined && <p className="problem">{problem}</p>}
      <ConfirmDialog
        open={isAsking}
        title={text.removeDialog.title(name)}
        confirm={text.remove}
        onClose={() => setAsking(false)}
        onConfirm={() => void run(() => accounts.forget(url), text.removed(name))}
      >
        <p>{text.removeDialog.body}</p>
      </ConfirmDialog>
    </>
  );
}

function Server({ server }: { server: Instance }) {
  const { url, isHome, authorization, account, failure } = server;
  const name = new URL(url).host;
  return (
    <li className="instance-row">
      <div className="row-text">
        <p className="label">
          <span dir="ltr">{name}</span> {isHome && <span className="tag">{text.home}</span>}{" "}
          <span className="tag" data-authorization={authorization}>
            {text.authorization[authorization]}
          </span>
        </p>
        {account !== null && (
          <p className="quiet">
            {text.as(account.displayName, account.username)}
            {account.autoProvisioned && ` · ${text.provisioned}`}
          </p>
        )}
        {authorization === "authorized" && <ConnectionLine url={url} />}
        {failure !== null && authorization === "needs-sign-in" && (
          <p className="problem">{text.failures[failure]}</p>
        )}
      </div>
      {authorization === "needs-sign-in" && !isHome && (
        <RouteLink
          className="button"
          to={{ area: "login", authorize: url, returnUrl: "/settings/servers" }}
          aria-label={text.signInNamed(name)}
        >
          {text.signIn}
        </RouteLink>
      )}
      {!isHome && <Foreign server={server} name={name} />}
    </li>
  );
}

function AddServer() {
  const { accounts } = useClient();
  const { busy, problem, run } = useAction();
  const [typed, setTyped] = useState("");
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (busy || typed.trim() === "") return;
    void run(() => accounts.add(typed.trim()), text.added).then((done) => (done ? setTyped("") : undefined));
  };
  return (
    <form onSubmit={submit} noValidate>
      <TextField
        label={text.address}
        name="serverUrl"
        help={text.addressHelp}
        value={typed}
        onChange={setTyped}
        problem={problem}
        isCode
      >
        <Button type="submit" busy={busy}>
          {text.add}
        </Button>
      </TextField>
    </form>
  );
}

/** Every signaling server this device knows, with the same word for its state as everywhere (interface 5.5). */
export function InstancesScreen() {
  const { accounts } = useClient();
  const servers = useReadable(accounts.state, (state) => state.instances);
  return (
    <>
      <p className="lead">{text.lead}</p>
      <Card title={text.title}>
        <ul className="instances-list">
          {servers.map((server) => (
            <Server key={server.url} server={server} />
          ))}
        </ul>
      </Card>
      <Card title={text.another} help={text.anotherHelp}>
        <AddServer />
      </Card>
    </>
  );
}
