import { credentialSchema } from "@hearth/device";
import { z } from "zod";
import type { DeviceEmoji } from "@hearth/device";
import { compareText } from "@hearth/device";
import { isNewer } from "@hearth/device";
import { looksSecret } from "@hearth/device";
import type { DeviceReader, DeviceWriter } from "../device-store.ts";
import type { HistoryReader } from "../history.ts";
import { ClientProblem } from "@hearth/device";
import type { StoreCalls } from "./database/calls.indexeddb.ts";
import { beginning } from "./database/key-ranges.indexeddb.ts";
import { mergeRecords } from "./database/merging.indexeddb.ts";
import { storedEmojiSchema, text, time } from "./database/records.indexeddb.ts";
import { admitted, ends, removalKey } from "./database/removals.indexeddb.ts";
import type { StoredEmoji } from "./database/schema.indexeddb.ts";

const SECRET_KEY = "This key names a secret, and secrets are not kept in the device's store";

type AccountWriter = Pick<
  DeviceWriter,
  "saveEmoji" | "removeEmoji" | "setMeta" | "removeMeta" | "saveCredential" | "removeCredential"
>;

const emojiWriter = ({ write }: StoreCalls): Pick<AccountWriter, "saveEmoji" | "removeEmoji"> => ({
  saveEmoji: write(
    ["emoji", "removals"],
    z.tuple([z.array(storedEmojiSchema)]),
    async (transaction, arriving) => {
      const store = transaction.objectStore("emoji");
      const standing = await admitted(transaction, arriving, ({ id, updatedAt }) => ({
        key: removalKey("emoji", id),
        beganAt: updatedAt,
      }));
      await mergeRecords(standing, {
        keyOf: ({ id }) => id,
        get: (id) => store.get(id),
        put: (record) => store.put(record),
        merged: (record, known) => (isNewer(emojiOf(record), emojiOf(known)) ? record : undefined),
      });
    },
  ),
  removeEmoji: write(
    ["emoji", "removals"],
    z.tuple([text, time.optional()]),
    async (transaction, id, at?) => {
      const store = transaction.objectStore("emoji");
      const known = await store.get(id);
      if (await ends(transaction, removalKey("emoji", id), known?.updatedAt, at)) await store.delete(id);
    },
  ),
});

export const accountWriter = (calls: StoreCalls): AccountWriter => ({
  ...emojiWriter(calls),
  setMeta: calls.write(["meta"], z.tuple([text, text]), async (transaction, key, value) => {
    if (looksSecret(key)) throw new ClientProblem("INVALID_REQUEST", { message: SECRET_KEY });
    await transaction.objectStore("meta").put({ key, value });
  }),
  removeMeta: calls.write(["meta"], z.tuple([text]), (transaction, key) =>
    transaction.objectStore("meta").delete(key),
  ),
  saveCredential: calls.write(["credentials"], z.tuple([credentialSchema]), async (transaction, arriving) => {
    const store = transaction.objectStore("credentials");
    const homes = (await store.getAll()).filter(({ isHome }) => arriving.isHome && isHome);
    for (const home of homes) await store.put({ ...home, isHome: false });
    await store.put(arriving);
  }),
  removeCredential: calls.write(["credentials"], z.tuple([text]), (transaction, url) =>
    transaction.objectStore("credentials").delete(url),
  ),
});

const emojiOf = ({ bytes, ...record }: StoredEmoji): DeviceEmoji => ({
  ...record,
  bytes: new Uint8Array(bytes),
});

type AccountReader = Pick<DeviceReader, "emoji" | "meta" | "credentials"> &
  Pick<HistoryReader, "metaEntries">;

export const accountReader = ({ read }: StoreCalls): AccountReader => ({
  emoji: read(["emoji"], async (transaction) => {
    const all = (await transaction.objectStore("emoji").getAll()).map(emojiOf);
    return all.toSorted((a, b) => compareText(a.shortcode, b.shortcode) || compareText(a.id, b.id));
  }),
  meta: read(["meta"], async (transaction, key: string) =>
    looksSecret(key) ? undefined : (await transaction.objectStore("meta").get(key))?.value,
  ),
  metaEntries: read(["meta"], async (transaction, prefix: string) => {
    const entries = await transaction.objectStore("meta").getAll(beginning(prefix));
    return entries.filter(({ key }) => !looksSecret(key)).toSorted((a, b) => compareText(a.key, b.key));
  }),
  credentials: read(["credentials"], async (transaction) => {
    const all = await transaction.objectStore("credentials").getAll();
    return all.toSorted(
      (a, b) => Number(b.isHome) - Number(a.isHome) || compareText(a.signalServerUrl, b.signalServerUrl),
    );
  }),
});
