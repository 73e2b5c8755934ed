import { positionSchema } from "@hearth/device";
import { z } from "zod";
import { orderKey } from "@hearth/device";
import type { DeviceWriter } from "../device-store.ts";
import type { StoreCalls } from "./database/calls.indexeddb.ts";
import { within } from "./database/key-ranges.indexeddb.ts";
import { text } from "./database/records.indexeddb.ts";

const CONTENTS = ["messages", "messageChanges", "reactions", "attachments"] as const;

export const messageDropper = ({ write }: StoreCalls): Pick<DeviceWriter, "dropMessages"> => ({
  dropMessages: write(CONTENTS, z.tuple([text, positionSchema]), async (transaction, roomId, upTo) => {
    const store = transaction.objectStore.bind(transaction);
    const range = IDBKeyRange.bound([roomId], [roomId, upTo.timestamp, orderKey(upTo.id)]);
    const messages = await store("messages").index("inRoom").getAll(range);
    const dropped = messages.filter(({ delivery }) => delivery === "sent").map(({ id }) => id);
    const attached = await Promise.all(
      dropped.map((id) => store("attachments").index("ofMessage").getAllKeys(id)),
    );
    await Promise.all([
      ...attached.flat().map((id) => store("attachments").delete(id)),
      ...dropped.map((id) => store("reactions").delete(within(id))),
      ...dropped.map((id) => store("messageChanges").delete([id, roomId])),
      ...dropped.map((id) => store("messages").delete(id)),
    ]);
  }),
});
