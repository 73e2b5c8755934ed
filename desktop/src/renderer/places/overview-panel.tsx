import { useState } from "react";
import type { DeviceRoom } from "../../device/records.ts";
import { ClientProblem } from "../../client/problem.ts";
import { useClient } from "../client-context.tsx";
import { isOwner } from "../frame/members/member-actions.ts";
import { useShell } from "../frame/shell-context.tsx";
import { strings } from "../strings.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { TextField } from "../ui/text-field.tsx";
import { Form } from "./form.tsx";
import { readTags } from "./tags.ts";
import { TextBlock } from "./text-block.tsx";
import { useSubmit } from "./use-submit.ts";
import { VisibilityChoice } from "./visibility-choice.tsx";

const { settings: text, create, ...places } = strings.places;

type Fields = Pick<DeviceRoom, "name" | "description" | "visibility"> & { readonly tags: string };

const fieldsOf = ({ name, description, visibility, tags }: DeviceRoom): Fields => ({
  name,
  description,
  visibility,
  tags: tags.join(", "),
});

/** Only what was changed is sent, so that two people who change different things do not undo each other. */
function changesOf(fields: Fields, room: DeviceRoom, tags: readonly string[]) {
  const name = fields.name.trim();
  const description = fields.description.trim();
  return {
    ...(name === room.name ? {} : { name }),
    ...(description === room.description ? {} : { description }),
    ...(fields.visibility === room.visibility ? {} : { visibility: fields.visibility }),
    ...(tags.join() === room.tags.join() ? {} : { tags }),
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
  const submit = useSubmit();
  const [fields, setFields] = useState(() => fieldsOf(room));
  const change = (changes: Partial<Fields>): void => setFields({ ...fields, ...changes });
  const tags = readTags(fields.tags);
  const canName = isOwner(room.role);
  const changes = changesOf(fields, room, tags ?? []);
  const isConflict = submit.error instanceof ClientProblem && submit.error.code === "CONFLICT";
  const save = async (): Promise<void> => {
    await client.places.update(room.id, changes);
    tell(places.saved);
  };
  return (
    <Form
      submit={submit}
      label={places.save}
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
      {isConflict && <p className="note">{text.conflict}</p>}
    </Form>
  );
}
