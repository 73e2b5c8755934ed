export { hidingOf } from "./blocked-senders.ts";
export { nextChangeTime } from "./change-time.ts";
export { copyOf, fieldsOf } from "./fields.ts";
export { DEFAULT_LOCAL_API_SETTINGS } from "./local-api-settings.ts";
export type { LocalApiSettings, SettingIssue } from "./local-api-settings.ts";
export {
  MAX_EDITS,
  inOrder,
  isLaterEdit,
  isSameEdit,
  isStrongerReaction,
  keptEdits,
  mergedDelivery,
  messageState,
  removalTime,
  removedState,
} from "./message-merge.ts";
export type { EditContent, MessageState } from "./message-merge.ts";
export { compareText, orderKey, sortedByName } from "./order.ts";
export { ClientProblem, isAuthFailure } from "./problem.ts";
export type { ClientProblemCode } from "./problem.ts";
export { isNewer, mergedMembership, mergedRoom, outlives, replaces } from "./record-merge.ts";
export { MAX_VALUE_SIZE, credentialSchema, emojiSchema, pluginKeySchema } from "./records/account.ts";
export type { DeviceCredential, DeviceEmoji, PluginDatum } from "./records/account.ts";
export { attachmentOf, attachmentSchema } from "./records/attachment.ts";
export type { DeviceAttachment, NewAttachment } from "./records/attachment.ts";
export { idSchema, nameSchema, textSchema, timeSchema, urlSchema } from "./records/kinds.ts";
export {
  BLANK_MESSAGE,
  editSchema,
  messageSchema,
  newMessageSchema,
  positionSchema,
  reactionSchema,
  removalSchema,
} from "./records/message.ts";
export type {
  DeliveryState,
  DeviceMessage,
  DeviceReaction,
  MessageEdit,
  MessageRemoval,
  NewMessage,
  ReactionChange,
} from "./records/message.ts";
export { friendSchema, personSchema, profileSchema } from "./records/people.ts";
export type { DeviceFriend, DeviceProfile, DeviceUser, Person } from "./records/people.ts";
export { ROOM_KINDS, banSchema, membershipSchema, roomSchema } from "./records/room.ts";
export type { DeviceBan, DeviceChannel, DeviceRoom, DeviceRoomUser, RoomMembership } from "./records/room.ts";
export { containsWords, searchWords } from "./search-text.ts";
export { looksSecret } from "./secret-names.ts";
export { normaliseServerUrl, serverUrlSchema } from "./server-url.ts";
export { changedSettings, storedSettings } from "./settings-schema.ts";
