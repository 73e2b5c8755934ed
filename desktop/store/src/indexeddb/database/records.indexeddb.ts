import { emojiSchema, pluginKeySchema, timeSchema } from "@hearth/device";
import type { PluginDatum } from "@hearth/device";
import { z } from "zod";
import { storedJson } from "../../stored-json.ts";
import type { StoredEmoji, StoredPluginDatum } from "./schema.indexeddb.ts";

/** Lone surrogates become U+FFFD, as in every other store. */
export const text = z.string().overwrite((value) => value.toWellFormed());
export const time = timeSchema;

/** Copies the bytes alone: a view would be stored with the whole buffer around it. */
export const storedEmojiSchema = emojiSchema.extend({
  bytes: emojiSchema.shape.bytes.transform((view) => new Uint8Array(view).buffer),
}) satisfies z.ZodType<StoredEmoji>;

/** A value of the scope `local` belongs to no server, one of the scope `server` to exactly one. */
const isPlaced = ({ scope, serverId }: Omit<PluginDatum, "value">): boolean =>
  (scope === "server") === Boolean(serverId);

export const storedDatumSchema = pluginKeySchema
  .extend({ value: z.unknown().transform(storedJson).pipe(z.string()) })
  .refine(isPlaced)
  .transform(({ serverId, ...datum }) => ({
    ...datum,
    serverId: serverId ?? "",
  })) satisfies z.ZodType<StoredPluginDatum>;
