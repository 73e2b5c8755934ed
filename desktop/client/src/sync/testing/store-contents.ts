import type { ClientStore } from "@hearth/store";

/** Everything that devices share, without the store's own times of change. */
export async function storeContents(store: ClientStore): Promise<unknown> {
  const rooms = await store.rooms();
  const messages = await Promise.all(
    rooms.map(async ({ id }) => {
      const page = await store.messages(id, { limit: 500, from: { offset: 0 } });
      return (page?.messages ?? []).map(({ updatedAt: _, ...message }) => message);
    }),
  );
  const extras = messages.flat().map(async ({ id }) => ({
    id,
    edits: await store.messageEdits(id),
    reactions: await store.reactions(id),
    attachments: await store.messageAttachments(id),
  }));
  return {
    rooms,
    messages,
    extras: await Promise.all(extras),
    profile: await store.profile(),
    friends: await store.friends(),
    emoji: await store.emoji(),
    read: await store.metaEntries("read:"),
    removals: await store.removals(),
  };
}
