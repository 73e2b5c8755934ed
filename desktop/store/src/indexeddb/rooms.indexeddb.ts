import { roomSchema } from "@hearth/device";
import { z } from "zod";
import { sortedByName } from "@hearth/device";
import { mergedRoom } from "@hearth/device";
import type { DeviceReader, DeviceWriter } from "../device-store.ts";
import type { StoreCalls } from "./database/calls.indexeddb.ts";
import { within } from "./database/key-ranges.indexeddb.ts";
import { mergeRecords } from "./database/merging.indexeddb.ts";
import { text, time } from "./database/records.indexeddb.ts";
import { admitted, ends, removalKey } from "./database/removals.indexeddb.ts";
import type { WriteTransaction } from "./database/schema.indexeddb.ts";

const CONTENTS = [
  "rooms",
  "roomUsers",
  "bans",
  "messages",
  "messageChanges",
  "reactions",
  "attachments",
  "pluginData",
  "removals",
] as const;

/** Removes everything of a room; reactions are found by their messages. */
async function forget(
  transaction: WriteTransaction<(typeof CONTENTS)[number]>,
  roomId: string,
): Promise<void> {
  const store = transaction.objectStore.bind(transaction);
  const messages = store("messages");
  const changes = store("messageChanges");
  const attachments = store("attachments");
  const pluginData = store("pluginData");
  const [messageIds, changeKeys, attachmentIds, datumKeys] = await Promise.all([
    messages.index("inRoom").getAllKeys(within(roomId)),
    changes.index("ofRoom").getAllKeys(roomId),
    attachments.index("ofRoom").getAllKeys(roomId),
    pluginData.index("ofServer").getAllKeys(roomId),
  ]);
  await Promise.all([
    ...messageIds.map((id) => messages.delete(id)),
    ...messageIds.map((id) => store("reactions").delete(within(id))),
    ...changeKeys.map((key) => changes.delete(key)),
    ...attachmentIds.map((id) => attachments.delete(id)),
    ...datumKeys.map((key) => pluginData.delete(key)),
    store("bans").delete(within(roomId)),
    store("roomUsers").delete(within(roomId)),
    store("rooms").delete(roomId),
  ]);
}

export function roomsWriter({ write }: StoreCalls): Pick<DeviceWriter, "saveRooms" | "removeRoom"> {
  return {
    saveRooms: write(["rooms", "removals"], z.tuple([z.array(roomSchema)]), async (transaction, arriving) => {
      const rooms = transaction.objectStore("rooms");
      const standing = await admitted(transaction, arriving, ({ id, joinedAt }) => ({
        key: removalKey("room", id),
        beganAt: joinedAt,
      }));
      await mergeRecords(standing, {
        keyOf: ({ id }) => id,
        get: (id) => rooms.get(id),
        put: (record) => rooms.put(record),
        merged: mergedRoom,
      });
    }),
    removeRoom: write(CONTENTS, z.tuple([text, time.optional()]), async (transaction, roomId, at?) => {
      const known = await transaction.objectStore("rooms").get(roomId);
      const isOver = await ends(transaction, removalKey("room", roomId), known?.joinedAt, at);
      if (isOver) await forget(transaction, roomId);
    }),
  };
}

export function roomsReader({ read }: StoreCalls): Pick<DeviceReader, "rooms" | "room"> {
  return {
    rooms: read(["rooms"], async (transaction) =>
      sortedByName(
        await transaction.objectStore("rooms").getAll(),
        ({ name }) => name,
        ({ id }) => id,
      ),
    ),
    room: read(["rooms"], (transaction, roomId: string) => transaction.objectStore("rooms").get(roomId)),
  };
}
