import { useState } from "react";
import type { DeviceRoom } from "@hearth/device";
import { ClientProblem } from "@hearth/device";
import { useClient } from "../../context/client-context.tsx";
import { isOwner } from "../../people/member-actions.ts";
import { useShell } from "../../context/shell-context.tsx";
import { strings } from "../../strings/strings.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { Form } from "../../ui/fields/form.tsx";
import { changesOf, fieldsOf, merged } from "./overview-fields.ts";
import type { Fields } from "./overview-fields.ts";
import { readTags } from "./tags.ts";
import { TextBlock } from "../../ui/fields/text-block.tsx";
import { useAction } from "../../ui/use-action.ts";
import { VisibilityChoice } from "../visibility-choice.tsx";

const { settings: text, create, ...servers } = strings.servers;

/** The fields, kept over changes that somebody else makes meanwhile. */
function useFields(room: DeviceRoom) {
  const now = fieldsOf(room);
  const [state, setState] = useState({ fields: now, read: now, isContested: false });
  const { read } = state;
  if (JSON.stringify(now) !== JSON.stringify(read)) {
    const { fields, isContested } = merged(state.fields, read, now);
    setState({ fields, read: now, isContested: isContested || state.isContested });
  }
  return {
    ...state,
    change: (changes: Partial<Fields>): void =>
      setState((before) => ({ ...before, fields: { ...before.fields, ...changes } })),
    settle: (): void => setState((before) => ({ ...before, isContested: false })),
  };
}

/** People who want to ask for a private room need it. */
function RoomId({ id }: { id: string }) {
  return (
    <div className="line">
      <span className="line-names">
        <span className="label">{text.id}</span>
        <code dir="ltr">{id}</code>
      </span>
      <CopyButton text={id} what={text.copyId} />
    </div>
  );
}

/** Name, description, tags and visibility; a moderator has the middle two. */
export function OverviewPanel({ room }: { room: DeviceRoom }) {
  const client = useClient();
  const { tell } = useShell();
  const submit = useAction();
  const { fields, isContested, change, settle } = useFields(room);
  const tags = readTags(fields.tags);
  const canName = isOwner(room.role);
  const changes = changesOf(fields, room, tags ?? []);
  const isConflict = submit.error instanceof ClientProblem && submit.error.code === "CONFLICT";
  const save = async (): Promise<void> => {
    await client.servers.update(room.id, changes);
    settle();
    tell(servers.saved);
  };
  return (
    <Form
      submit={submit}
      label={servers.save}
      canSubmit={tags !== null && fields.name.trim() !== "" && Object.keys(changes).length > 0}
      onSubmit={save}
    >
      {canName ? (
        <TextField
          label={create.name}
          name="name"
          value={fields.name}
          onChange={(name) => change({ name })}
          problem={fields.name.trim() === "" ? create.nameMissing : undefined}
          maxLength={100}
        />
      ) : (
        <p className="quiet">{text.ownerOnly}</p>
      )}
      <TextBlock
        label={create.description}
        value={fields.description}
        onChange={(description) => change({ description })}
        maxLength={2_000}
      />
      <TextField
        label={text.tags}
        help={text.tagsHelp}
        name="tags"
        value={fields.tags}
        onChange={(typed) => change({ tags: typed })}
        problem={tags === null ? text.tagsInvalid : undefined}
        maxLength={400}
      />
      {canName && (
        <VisibilityChoice value={fields.visibility} onChange={(visibility) => change({ visibility })} />
      )}
      <RoomId id={room.id} />
      {(isConflict || isContested) && <p className="note">{text.conflict}</p>}
    </Form>
  );
}
