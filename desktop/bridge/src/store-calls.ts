import { z } from "zod";
import type { ClientStore } from "@hearth/store";
import { STORE_METHODS } from "./store-methods.ts";
import type { StoreMethod } from "./store-methods.ts";
import {
  attachment,
  ban,
  credential,
  edit,
  emoji,
  friend,
  id,
  listOf,
  membership,
  message,
  metaKey,
  metaValue,
  pluginDatum,
  pluginKey,
  profile,
  reaction,
  removal,
  room,
  searchText,
  serverUrl,
  time,
  user,
} from "./store-records.ts";

const limit = z.int().min(1).max(1_000);
const nothing = z.tuple([]);
const oneId = z.tuple([id]);
const since = time.optional();
const place = z.object({ roomId: id, channelId: id.nullable() });
const position = z.object({ timestamp: time, id });
const changePlace = z.object({ updatedAt: time, id: id.exactOptional() });
const from = z.union([position, z.object({ offset: z.int().min(0) })]);

/** What each method of the store takes. */
const ARGUMENTS = {
  profile: nothing,
  rooms: nothing,
  room: oneId,
  roomUsers: oneId,
  user: z.tuple([id, serverUrl.optional()]),
  messages: z.tuple([id, z.object({ limit, from })]),
  messagesSince: z.tuple([id, z.object({ limit, after: changePlace })]),
  message: oneId,
  messageEdits: oneId,
  reactions: oneId,
  messageAttachments: oneId,
  attachments: nothing,
  bans: z.tuple([id, time]),
  isBanned: z.tuple([id, id, time]),
  pluginDatum: z.tuple([pluginKey]),
  meta: z.tuple([metaKey]),
  credentials: nothing,
  friends: nothing,
  emoji: nothing,
  messagesBefore: z.tuple([place, z.object({ limit, before: position.nullable() })]),
  messagesAfter: z.tuple([place, z.object({ limit, after: position })]),
  searchMessages: z.tuple([
    z.object({
      text: searchText,
      roomId: id.exactOptional(),
      limit,
      without: listOf(z.object({ signalServerUrl: serverUrl, userId: id })).exactOptional(),
    }),
  ]),
  undelivered: nothing,
  unread: z.tuple([
    place,
    z.object({ after: position.nullable(), userId: id, without: listOf(id).exactOptional() }),
  ]),
  lore: z.tuple([id, z.object({ after: changePlace, limit })]),
  removals: nothing,
  usage: nothing,
  metaEntries: z.tuple([metaKey]),
  saveProfile: z.tuple([profile]),
  saveRooms: z.tuple([listOf(room)]),
  removeRoom: z.tuple([id, since]),
  saveUsers: z.tuple([listOf(user)]),
  saveRoomUsers: z.tuple([listOf(membership)]),
  removeRoomUser: z.tuple([id, id, since]),
  saveMessages: z.tuple([listOf(message)]),
  postponeMessages: z.tuple([listOf(position)]),
  dropMessages: z.tuple([id, position]),
  editMessages: z.tuple([listOf(edit)]),
  removeMessages: z.tuple([listOf(removal)]),
  changeReactions: z.tuple([listOf(reaction)]),
  saveAttachments: z.tuple([listOf(attachment)]),
  saveBans: z.tuple([listOf(ban)]),
  removeBan: z.tuple([id, id, since]),
  saveFriends: z.tuple([listOf(friend)]),
  removeFriend: z.tuple([id, since]),
  saveEmoji: z.tuple([listOf(emoji)]),
  removeEmoji: z.tuple([id, since]),
  savePluginData: z.tuple([listOf(pluginDatum)]),
  removePluginDatum: z.tuple([pluginKey]),
  setMeta: z.tuple([metaKey, metaValue]),
  removeMeta: z.tuple([metaKey]),
  saveCredential: z.tuple([credential]),
  removeCredential: z.tuple([serverUrl]),
  eraseAll: nothing,
} satisfies { readonly [M in StoreMethod]: z.ZodType<Parameters<ClientStore[M]>> };

/** A call of the store as it was checked: the arguments are those that the method takes. */
export interface StoreCall {
  readonly method: StoreMethod;
  readonly args: readonly unknown[];
}

const MAX_ARGUMENTS = 3;

const callOf = (kind: "read" | "write") => {
  const methods = (Object.keys(STORE_METHODS) as StoreMethod[]).filter(
    (name) => STORE_METHODS[name] === kind,
  );
  return z
    .strictObject({ method: z.enum(methods), args: z.array(z.unknown()).max(MAX_ARGUMENTS) })
    .transform(({ method, args }, context): StoreCall => {
      const parsed = ARGUMENTS[method].safeParse(args);
      if (parsed.success) return { method, args: parsed.data };
      for (const { path, message } of parsed.error.issues)
        context.addIssue({ code: "custom", path: ["args", ...path], message });
      return z.NEVER;
    });
};

export const storeRead = callOf("read");
export const storeWrite = callOf("write");
