import type { DeviceReaction } from "@hearth/device";

/** One emoji under a message, and who chose it. */
export interface ReactionGroup {
  readonly emoji: string;
  /** In the order in which they chose it. */
  readonly userIds: readonly string[];
  readonly isOwn: boolean;
}

/** The emoji of a message, the first one first. */
export function reactionGroups(
  reactions: readonly DeviceReaction[],
  ownId: string,
): readonly ReactionGroup[] {
  const groups = new Map<string, string[]>();
  for (const { emoji, userId } of reactions) {
    const group = groups.get(emoji);
    if (group === undefined) groups.set(emoji, [userId]);
    else if (!group.includes(userId)) group.push(userId);
  }
  return [...groups].map(([emoji, userIds]) => ({ emoji, userIds, isOwn: userIds.includes(ownId) }));
}

const NAMED = 8;

/** Who reacted, in names: this account last, and a count for those whom there is no room for or no name of. */
export function namesOf(
  userIds: readonly string[],
  about: {
    readonly ownId: string;
    readonly you: string;
    readonly nameOf: (userId: string) => string | undefined;
  },
): { readonly names: readonly string[]; readonly others: number } {
  const { ownId, you, nameOf } = about;
  const known = userIds.flatMap((userId) => (userId === ownId ? [] : (nameOf(userId) ?? [])));
  const own = userIds.includes(ownId) ? [you] : [];
  const shown = known.slice(0, NAMED);
  return { names: [...shown, ...own], others: userIds.length - shown.length - own.length };
}
