import type { DeviceRoom } from "@hearth/device";

type Overview = Pick<DeviceRoom, "name" | "description" | "visibility" | "tags">;

/** The overview of a room while it is edited. */
export type Fields = Pick<DeviceRoom, "name" | "description" | "visibility"> & { readonly tags: string };

export const fieldsOf = ({ name, description, visibility, tags }: Overview): Fields => ({
  name,
  description,
  visibility,
  tags: tags.join(", "),
});

/** Only what was changed is sent, so that two people who change different things do not undo each other. */
export function changesOf(fields: Fields, room: Overview, tags: readonly string[]): Partial<Overview> {
  const name = fields.name.trim();
  const description = fields.description.trim();
  return {
    ...(name === room.name ? {} : { name }),
    ...(description === room.description ? {} : { description }),
    ...(fields.visibility === room.visibility ? {} : { visibility: fields.visibility }),
    ...(tags.join() === room.tags.join() ? {} : { tags }),
  };
}

const NAMES = ["name", "description", "visibility", "tags"] as const;

/** Somebody else changed the room meanwhile: theirs, with what was changed here on top; contested where both did. */
export function merged(
  own: Fields,
  before: Fields,
  after: Fields,
): { readonly fields: Fields; readonly isContested: boolean } {
  const isOwn = (name: keyof Fields): boolean => own[name] !== before[name];
  const fields = {
    name: isOwn("name") ? own.name : after.name,
    description: isOwn("description") ? own.description : after.description,
    visibility: isOwn("visibility") ? own.visibility : after.visibility,
    tags: isOwn("tags") ? own.tags : after.tags,
  };
  const isContested = NAMES.some(
    (name) => isOwn(name) && after[name] !== before[name] && after[name] !== own[name],
  );
  return { fields, isContested };
}
