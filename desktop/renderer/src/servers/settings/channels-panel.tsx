import { useEffect, useRef, useState } from "react";
import { ClientProblem } from "@hearth/device";
import type { DeviceRoom } from "@hearth/device";
import { useClient } from "../../context/client-context.tsx";
import { useShell } from "../../context/shell-context.tsx";
import { format } from "../../strings/format.ts";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { MAX_NAME, changesOf, draftsOf, flawOf, isChanged, merged, moved } from "./channel-drafts.ts";
import type { ChannelDraft } from "./channel-drafts.ts";
import { Form } from "../../ui/fields/form.tsx";
import { useAction } from "../../ui/use-action.ts";
import "../../ui/fields/field.css";
import "./channels-panel.css";

const { settings: text, ...servers } = strings.servers;

interface RowProps {
  readonly draft: ChannelDraft;
  readonly index: number;
  readonly onName: (name: string) => void;
  readonly onMove: (step: 1 | -1) => void;
  readonly onRemove: () => void;
}

function ChannelRow({ draft, index, onName, onMove, onRemove }: RowProps) {
  const { name, kind } = draft;
  return (
    <li className="channel-row">
      <Icon name={kind === "text" ? "hash" : "voice"} size={18} />
      <span className="visually-hidden">{text.kinds[kind]}</span>
      <input
        className="input"
        aria-label={text.channelName(format.count(index + 1))}
        value={name}
        maxLength={MAX_NAME}
        autoComplete="off"
        onChange={({ target }) => onName(target.value)}
      />
      <button type="button" className="icon-button" aria-label={text.up(name)} onClick={() => onMove(-1)}>
        <Icon name="up" size={18} />
      </button>
      <button type="button" className="icon-button" aria-label={text.down(name)} onClick={() => onMove(1)}>
        <Icon name="down" size={18} />
      </button>
      <button type="button" className="icon-button" aria-label={text.removeNamed(name)} onClick={onRemove}>
        <Icon name="close" size={18} />
      </button>
    </li>
  );
}

/** The drafts, kept over changes that somebody else makes meanwhile. */
function useDrafts({ channels }: DeviceRoom) {
  const [drafts, setDrafts] = useState(() => draftsOf(channels));
  const read = useRef(channels);
  useEffect(() => {
    const before = read.current;
    if (before === channels) return;
    read.current = channels;
    setDrafts((own) => merged(own, before, channels));
  }, [channels]);
  return [drafts, setDrafts] as const;
}

/** Adds, renames, orders and removes channels, all in one step. */
export function ChannelsPanel({ room }: { room: DeviceRoom }) {
  const client = useClient();
  const { tell } = useShell();
  const submit = useAction();
  const [drafts, setDrafts] = useDrafts(room);
  const flaw = flawOf(drafts);
  const isConflict = submit.error instanceof ClientProblem && submit.error.code === "CONFLICT";
  const kept = new Set(drafts.map(({ id }) => id));
  const add = (kind: ChannelDraft["kind"]): void =>
    setDrafts([...drafts, { key: client.platform.newId(), id: null, name: text.newChannel, kind }]);
  const save = async (): Promise<void> => {
    const before = new Set(room.channels.map(({ id }) => id));
    await client.servers.update(room.id, { channels: changesOf(drafts) });
    const after = client.servers.state.getState().servers.get(room.id)?.room.channels ?? room.channels;
    const added = after.filter(({ id }) => !before.has(id));
    setDrafts((own) => (added.length === 0 ? own : draftsOf(after)));
    tell(servers.saved);
  };
  return (
    <Form
      submit={submit}
      label={servers.save}
      canSubmit={flaw === null && isChanged(drafts, room.channels)}
      onSubmit={save}
    >
      <p className="quiet">{text.channelsHelp}</p>
      <ul className="channel-rows">
        {drafts.map((draft, index) => (
          <ChannelRow
            key={draft.key}
            draft={draft}
            index={index}
            onName={(name) => setDrafts(drafts.map((it) => (it === draft ? { ...it, name } : it)))}
            onMove={(step) => setDrafts(moved(drafts, draft.key, step))}
            onRemove={() => setDrafts(drafts.filter((it) => it !== draft))}
          />
        ))}
      </ul>
      <div className="dialog-actions align-start">
        <Button onClick={() => add("text")}>{text.addText}</Button>
        <Button onClick={() => add("voice")}>{text.addVoice}</Button>
      </div>
      {flaw !== null && <p className="problem">{text.flaws[flaw]}</p>}
      {room.channels.some(({ id }) => !kept.has(id)) && <p className="note">{text.removesMessages}</p>}
      {isConflict && <p className="note">{text.conflict}</p>}
    </Form>
  );
}
