export { hidingOf } from "./blocked-senders.ts";
export { nextChangeTime } from "./change-time.ts";
export type {
  DeviceCredential,
  DeviceEmoji,
  DeviceFriend,
  MessageEdit,
  MessageRemoval,
  PluginDatum,
  ReactionChange,
} from "./changes.ts";
export { DEFAULT_LOCAL_API_SETTINGS } from "./local-api-settings.ts";
export type { LocalApiSettings, SettingIssue } from "./local-api-settings.ts";
export {
  MOST_EDITS,
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
export type {
  DeliveryState,
  DeviceAttachment,
  DeviceBan,
  DeviceChannel,
  DeviceMessage,
  DeviceProfile,
  DeviceReaction,
  DeviceRoom,
  DeviceRoomUser,
  DeviceUser,
} from "./records.ts";
export { containsWords, searchWords } from "./search-text.ts";
export { looksSecret } from "./secret-names.ts";
export { normaliseServerUrl, serverUrlSchema } from "./server-url.ts";
export { changedSettings, storedSettings } from "./settings-schema.ts";
