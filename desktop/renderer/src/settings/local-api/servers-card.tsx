import { Field } from "@base-ui/react/field";
import { useRef, useState } from "react";
import type { RefObject, SubmitEvent } from "react";
import { useAnnouncer } from "../../ui/announcer.tsx";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { addedServer, withServer, withoutServer } from "./servers.ts";
import { useLocalApi } from "./use-local-api.ts";
import "../../ui/fields/field.css";
import "./servers-card.css";

const text = strings.localApi;
const SETTING = "allowedSignalingServers";

type Input = RefObject<HTMLInputElement | null>;

/** The app normalises an entry and says what is wrong with it; what is typed stays until it was taken over. */
function useServerEntry() {
  const announcer = useAnnouncer();
  const { store: localApi, view, isBusy, problemOf } = useLocalApi();
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string>();
  const write = (value: string): void => {
    setTyped(value);
    setProblem(undefined);
    if (problemOf(SETTING) !== undefined) localApi.forget(SETTING);
  };
  const add = async (): Promise<void> => {
    const before = view.settings.allowedSignalingServers;
    if (typed.trim() === "") {
      setProblem(text.instanceEmpty);
      return;
    }
    if (!(await localApi.change(SETTING, { [SETTING]: withServer(before, typed) }))) return;
    const state = localApi.get();
    const after = state.phase === "ready" ? state.view.settings.allowedSignalingServers : before;
    const added = addedServer(before, after);
    setProblem(added === undefined ? text.instanceKnown : undefined);
    if (added === undefined) return;
    setTyped("");
    announcer.say(text.instanceAdded(added));
  };
  return { typed, problem: problem ?? problemOf(SETTING), busy: isBusy(SETTING), write, add };
}

function ServerEntry({ input }: { input: Input }) {
  const { typed, problem, busy, write, add } = useServerEntry();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!busy) void add();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Field.Root className="field" invalid={problem !== undefined}>
        <Field.Label className="label">{text.instanceLabel}</Field.Label>
        <Field.Description className="quiet">{text.instanceExample}</Field.Description>
        <div className="field-line">
          <Field.Control
            ref={input}
            className="input"
            dir="ltr"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onValueChange={(value) => write(value)}
          />
          <Button type="submit" busy={busy}>
            {text.instanceAdd}
          </Button>
        </div>
        <Field.Error className="problem" match={problem !== undefined}>
          {problem}
        </Field.Error>
      </Field.Root>
    </form>
  );
}

function ServerList({ input }: { input: Input }) {
  const announcer = useAnnouncer();
  const { store, view, isBusy } = useLocalApi();
  const servers = view.settings.allowedSignalingServers;
  const remove = async (server: string): Promise<void> => {
    if (!(await store.change(SETTING, { [SETTING]: withoutServer(servers, server) }))) return;
    announcer.say(text.instanceRemoved(server));
    input.current?.focus();
  };
  if (servers.length === 0) return <p className="empty">{text.instancesEmpty}</p>;
  return (
    <>
      <ul className="servers">
        {servers.map((server) => (
          <li key={server}>
            <code dir="ltr">{server}</code>
            <Button
              aria-label={text.instanceRemoveNamed(server)}
              busy={isBusy(SETTING)}
              onClick={() => void remove(server)}
            >
              {text.instanceRemove}
            </Button>
          </li>
        ))}
      </ul>
      <p className="quiet">{text.instancesNote}</p>
    </>
  );
}

export function ServersCard() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Card title={text.instances} help={text.instancesHelp}>
      <p className="note">{text.instancesTrust}</p>
      <ServerList input={input} />
      <ServerEntry input={input} />
    </Card>
  );
}
