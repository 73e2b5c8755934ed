import type { MentionedPerson } from "@hearth/client";

/** Somebody who can be mentioned and has a name to show. */
export interface Person extends MentionedPerson {
  readonly username?: string | null;
}

const isSame = (one: ReadonlyMap<string, Person>, other: ReadonlyMap<string, Person>): boolean =>
  one.size === other.size &&
  [...one].every(([id, { displayName, username }]) => {
    const same = other.get(id);
    return same?.displayName === displayName && same.username === username;
  });

/**
 * People by id. Those who wrote something here have a name, too, though they may have left. The map of before is given
 * back where it still holds, so that messages are not rendered again for nothing.
 */
export function peopleById(
  people: readonly Person[],
  authors: readonly { readonly senderId: string; readonly senderDisplayName: string }[],
  before?: ReadonlyMap<string, Person>,
): ReadonlyMap<string, Person> {
  const byId = new Map<string, Person>();
  for (const { senderId, senderDisplayName } of authors)
    byId.set(senderId, { userId: senderId, displayName: senderDisplayName });
  for (const person of people) byId.set(person.userId, person);
  return before !== undefined && isSame(before, byId) ? before : byId;
}
