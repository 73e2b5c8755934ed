import type { Invite } from "@hearth/contracts";
import { z } from "zod";
import type { ClientStore } from "@hearth/store";

const KEPT = 50;

/** An invite that was made on this device; servers of chat do not list theirs. */
export type MadeInvite = Pick<Invite, "code" | "createdAt" | "expiresAt" | "maxUses">;

const storedSchema = z.array(
  z.object({
    code: z.string(),
    createdAt: z.number(),
    expiresAt: z.number().nullable(),
    maxUses: z.number().nullable(),
  }),
);

type Store = Pick<ClientStore, "meta" | "setMeta" | "removeMeta">;

const keyOf = (roomId: string): string => `invites:${roomId}`;

/** Newest first. */
export async function madeInvites(store: Store, roomId: string): Promise<readonly MadeInvite[]> {
  const text = await store.meta(keyOf(roomId));
  if (text === undefined) return [];
  try {
    return storedSchema.parse(JSON.parse(text));
  } catch {
    return [];
  }
}

async function save(store: Store, roomId: string, invites: readonly MadeInvite[]): Promise<void> {
  if (invites.length === 0) await store.removeMeta(keyOf(roomId));
  else await store.setMeta(keyOf(roomId), JSON.stringify(invites.slice(0, KEPT)));
}

export async function rememberInvite(store: Store, roomId: string, invite: MadeInvite): Promise<void> {
  const { code, createdAt, expiresAt, maxUses } = invite;
  const others = (await madeInvites(store, roomId)).filter((it) => it.code !== code);
  await save(store, roomId, [{ code, createdAt, expiresAt, maxUses }, ...others]);
}

export async function forgetInvite(store: Store, roomId: string, code: string): Promise<void> {
  const others = (await madeInvites(store, roomId)).filter((it) => it.code !== code);
  await save(store, roomId, others);
}
