import type { Channel } from "@hearth/contracts";

/** A channel while it is edited; one without an `id` is new. `key` stays the same while it moves. */
export interface ChannelDraft {
  readonly key: string;
  readonly id: string | null;
  readonly name: string;
  readonly kind: Channel["kind"];
}

export const MAX_CHANNELS = 200;
export const MAX_NAME = 64;

export const draftsOf = (channels: readonly Channel[]): readonly ChannelDraft[] =>
  [...channels]
    .sort((one, other) => one.position - other.position)
    .map(({ id, name, kind }) => ({ key: id, id, name, kind }));

/** Moves one draft up (-1) or down (1); at the end of the list nothing happens. */
export function moved(drafts: readonly ChannelDraft[], key: string, step: 1 | -1): readonly ChannelDraft[] {
  const from = drafts.findIndex((draft) => draft.key === key);
  const [draft, other] = [drafts[from], drafts[from + step]];
  if (draft === undefined || other === undefined) return drafts;
  return drafts.map((it) => (it === draft ? other : it === other ? draft : it));
}

export type ChannelFlaw = "none" | "too-many" | "no-name" | "name-too-long" | "no-text";

/** What keeps drafts from being saved. */
export function flawOf(drafts: readonly ChannelDraft[]): ChannelFlaw | null {
  if (drafts.length === 0) return "none";
  if (drafts.length > MAX_CHANNELS) return "too-many";
  if (drafts.some(({ name }) => name.trim() === "")) return "no-name";
  if (drafts.some(({ name }) => name.trim().length > MAX_NAME)) return "name-too-long";
  return drafts.some(({ kind }) => kind === "text") ? null : "no-text";
}

export const isChanged = (drafts: readonly ChannelDraft[], channels: readonly Channel[]): boolean => {
  const before = draftsOf(channels);
  return (
    drafts.length !== before.length ||
    drafts.some((draft, index) => draft.id !== before[index]?.id || draft.name !== before[index].name)
  );
};

/** As a signaling server takes them (rule DI3). */
export const changesOf = (drafts: readonly ChannelDraft[]) =>
  drafts.map(({ id, name, kind }) => ({ ...(id === null ? {} : { id }), name: name.trim(), kind }));

/**
 * Somebody else changed the channels meanwhile: theirs, with our new names and new channels put on top. What one of
 * both removed is gone.
 */
export function merged(
  drafts: readonly ChannelDraft[],
  before: readonly Channel[],
  after: readonly Channel[],
): readonly ChannelDraft[] {
  const known = new Map(before.map((channel) => [channel.id, channel]));
  const own = new Map(drafts.flatMap((draft) => (draft.id === null ? [] : [[draft.id, draft] as const])));
  const theirs = draftsOf(after).flatMap((draft): readonly ChannelDraft[] => {
    const mine = own.get(draft.key);
    const old = known.get(draft.key);
    if (mine === undefined) return old === undefined ? [draft] : [];
    return [old !== undefined && mine.name !== old.name ? { ...draft, name: mine.name } : draft];
  });
  return [...theirs, ...drafts.filter(({ id }) => id === null)];
}
