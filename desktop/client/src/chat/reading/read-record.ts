import { wireId, wireTime } from "@hearth/contracts";
import { z } from "zod";
import type { MessagePosition } from "@hearth/store";
import type { ChannelRef, ClientStore } from "@hearth/store";
import type { Tabs } from "../../ports.ts";
import { channelKey } from "../chat.ts";
import { laterPosition, positionOf } from "../message-position.ts";

/** How far a channel was read on any device of the account, as the meta record `read:<roomId>/<channelId>`. */
export const READ_PREFIX = "read:";

export const readKey = (channel: ChannelRef): string => `${READ_PREFIX}${channelKey(channel)}`;

const recordSchema = z.object({ timestamp: wireTime, id: wireId });

/** `null` for a malformed value. */
export function parseReadRecord(value: string | undefined): MessagePosition | null {
  if (value === undefined) return null;
  try {
    const parsed = recordSchema.safeParse(JSON.parse(value));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/**
 * Writes the position if it is behind the stored one, whichever tab or device it comes from; returns whether it was.
 * Also updates the room's record, for readers of the local API.
 */
export async function advanceReadRecord(
  { store, tabs }: { readonly store: ClientStore; readonly tabs: Tabs },
  channel: ChannelRef,
  position: MessagePosition,
): Promise<boolean> {
  let advanced = false;
  await tabs.exclusive("read-positions", async () => {
    const key = readKey(channel);
    const known = parseReadRecord(await store.meta(key));
    if (laterPosition(known, position) === known) return;
    await store.setMeta(key, JSON.stringify(positionOf(position)));
    advanced = true;
    const room = await store.room(channel.roomId);
    if (!room || (room.lastReadAt ?? -1) >= position.timestamp) return;
    await store.saveRooms([{ ...room, lastReadAt: position.timestamp, lastReadMessageId: position.id }]);
  });
  return advanced;
}
