import { z } from "zod";
import type { ClientStore } from "@hearth/store";
import type { SyncedAvatar } from "../../wire.ts";

/** The account's picture, if it is stored here: the meta record `avatar:<hash>`. */
const PREFIX = "avatar:";

const recordSchema = z.object({ mime: z.string(), data: z.base64() });

export async function readAvatar(store: ClientStore, hash: string): Promise<SyncedAvatar | null> {
  const text = await store.meta(`${PREFIX}${hash}`);
  if (text === undefined) return null;
  const record = recordSchema.safeParse(JSON.parse(text));
  return record.success ? { hash, ...record.data } : null;
}

/** Stores the picture and removes the others. */
export async function keepAvatar(store: ClientStore, avatar: SyncedAvatar): Promise<void> {
  const { hash, mime, data } = avatar;
  await store.setMeta(`${PREFIX}${hash}`, JSON.stringify({ mime, data }));
  await forgetAvatarsBut(store, hash);
}

export async function forgetAvatarsBut(store: ClientStore, hash: string | null): Promise<void> {
  for (const { key } of await store.metaEntries(PREFIX))
    if (key !== `${PREFIX}${hash ?? ""}`) await store.removeMeta(key);
}
