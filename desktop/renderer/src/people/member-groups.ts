import type { Member, Role, RoomUser, UserStatus } from "@hearth/contracts";

export interface PersonHere {
  readonly userId: string;
  readonly displayName: string;
  /** AB8; `null` while nobody told it. */
  readonly username: string | null;
  readonly role: Role;
  /** `null` while they are not there. */
  readonly status: UserStatus | null;
  readonly statusText: string | null;
}

export interface PeopleHere {
  readonly online: readonly PersonHere[];
  readonly offline: readonly PersonHere[];
}

const RANK: Readonly<Record<Role, number>> = { owner: 0, moderator: 1, member: 2 };

const byRankAndName = (one: PersonHere, other: PersonHere): number =>
  RANK[one.role] - RANK[other.role] ||
  one.displayName.localeCompare(other.displayName) ||
  one.userId.localeCompare(other.userId);

type KnownMember = Pick<Member, "userId" | "displayName" | "role"> & { readonly username?: string | null };

/**
 * The people of a room by whether they are there. Somebody who is there but not on the list came after it was read,
 * so is a member; the name that the connection tells is the newer one.
 */
export function peopleOf(
  members: readonly KnownMember[],
  present: ReadonlyMap<string, RoomUser>,
): PeopleHere {
  const known = new Set(members.map(({ userId }) => userId));
  const newcomers = [...present.values()]
    .filter(({ oderId }) => !known.has(oderId))
    .map(({ oderId, displayName }): KnownMember => ({ userId: oderId, displayName, role: "member" }));
  const people = [...members, ...newcomers].map(({ userId, displayName, username, role }): PersonHere => {
    const here = present.get(userId);
    return {
      userId,
      displayName: here?.displayName ?? displayName,
      username: here?.username || username || null,
      role,
      status: here?.status ?? null,
      statusText: here?.statusText ?? null,
    };
  });
  people.sort(byRankAndName);
  return {
    online: people.filter(({ status }) => status !== null),
    offline: people.filter(({ status }) => status === null),
  };
}
