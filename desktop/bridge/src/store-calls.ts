import { z } from "zod";
import {
  MAX_VALUE_SIZE,
  attachmentSchema,
  banSchema,
  credentialSchema,
  editSchema,
  emojiSchema,
  friendSchema,
  idSchema,
  membershipSchema,
  nameSchema,
  newMessageSchema,
  personSchema,
  pluginKeySchema,
  positionSchema,
  profileSchema,
  reactionSchema,
  removalSchema,
  roomSchema,
  textSchema,
  timeSchema,
  urlSchema,
} from "@hearth/device";
import type { ClientStore } from "@hearth/store";
import { STORE_METHODS } from "./store-methods.ts";
import type { StoreMethod } from "./store-methods.ts";

/** How much one call may hold; far more than any call of the client does. */
const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(10_000);

const id = idSchema;
const time = timeSchema;
const serverUrl = urlSchema;
const metaKey = nameSchema;
const metaValue = z.string().max(MAX_VALUE_SIZE);

function isSmallJson(value: unknown): boolean {
  try {
    const json = JSON.stringify(value) as string | undefined;
    return json !== undefined && json.length <= MAX_VALUE_SIZE;
  } catch {
    return false;
  }
}

const pluginDatum = pluginKeySchema.extend({ value: z.unknown().refine(isSmallJson) });

const limit = z.int().min(1).max(1_000);
const nothing = z.tuple([]);
const oneId = z.tuple([id]);
const since = time.optional();
const place = z.object({ roomId: id, channelId: id.nullable() });
const changePlace = z.object({ updatedAt: time, id: id.exactOptional() });
const from = z.union([positionSchema, z.object({ offset: z.int().min(0) })]);

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
  pluginDatum: z.tuple([pluginKeySchema]),
  meta: z.tuple([metaKey]),
  credentials: nothing,
  friends: nothing,
  emoji: nothing,
  messagesBefore: z.tuple([place, z.object({ limit, before: positionSchema.nullable() })]),
  messagesAfter: z.tuple([place, z.object({ limit, after: positionSchema })]),
  searchMessages: z.tuple([
    z.object({
      text: textSchema,
      roomId: id.exactOptional(),
      limit,
      without: listOf(z.object({ signalServerUrl: serverUrl, userId: id })).exactOptional(),
    }),
  ]),
  undelivered: nothing,
  unread: z.tuple([
    place,
    z.object({ after: positionSchema.nullable(), userId: id, without: listOf(id).exactOptional() }),
  ]),
  fullMessages: z.tuple([id, z.object({ after: changePlace, limit })]),
  removals: nothing,
  usage: nothing,
  metaEntries: z.tuple([metaKey]),
  saveProfile: z.tuple([profileSchema]),
  saveRooms: z.tuple([listOf(roomSchema)]),
  removeRoom: z.tuple([id, since]),
  saveUsers: z.tuple([listOf(personSchema)]),
  saveRoomUsers: z.tuple([listOf(membershipSchema)]),
  removeRoomUser: z.tuple([id, id, since]),
  saveMessages: z.tuple([listOf(newMessageSchema)]),
  postponeMessages: z.tuple([listOf(positionSchema)]),
  dropMessages: z.tuple([id, positionSchema]),
  editMessages: z.tuple([listOf(editSchema)]),
  removeMessages: z.tuple([listOf(removalSchema)]),
  changeReactions: z.tuple([listOf(reactionSchema)]),
  saveAttachments: z.tuple([listOf(attachmentSchema)]),
  saveBans: z.tuple([listOf(banSchema)]),
  removeBan: z.tuple([id, id, since]),
  saveFriends: z.tuple([listOf(friendSchema)]),
  removeFriend: z.tuple([id, since]),
  saveEmoji: z.tuple([listOf(emojiSchema)]),
  removeEmoji: z.tuple([id, since]),
  savePluginData: z.tuple([listOf(pluginDatum)]),
  removePluginDatum: z.tuple([pluginKeySchema]),
  setMeta: z.tuple([metaKey, metaValue]),
  removeMeta: z.tuple([metaKey]),
  saveCredential: z.tuple([credentialSchema]),
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
