export type {
  Accounts,
  AccountsEvent,
  AccountsState,
  SessionEnd,
  SignIn,
  Instance,
} from "./accounts/accounts.ts";
export { safeReturnUrl } from "./accounts/return-url.ts";
export { blockedUsers } from "./blocks/blocks.ts";
export type { Blocks, BlocksState } from "./blocks/blocks.ts";
export { channelKey } from "./chat/chat.ts";
export type {
  ChannelActivity,
  Chat,
  ChatState,
  NewMention,
  Timeline,
  TimelineMessage,
  TimelineState,
} from "./chat/chat.ts";
export { findMentions, mentionsIn } from "./chat/mentions.ts";
export type { MentionInText, MentionedPerson } from "./chat/mentions.ts";
export type { Client } from "./client.ts";
export type {
  Connection,
  ConnectionState,
  ConnectionStatus,
  Connections,
  Incoming,
} from "./connection/connection.ts";
export { createClient } from "./create-client.ts";
export { createNotifier } from "./notifier/create-notifier.ts";
export type { NotificationSubject, Notifier } from "./notifier/create-notifier.ts";
export type { Readable } from "./observable.ts";
export type {
  ListReach,
  SavedServer,
  ServerLost,
  Servers,
  ServersState,
  JoinState,
} from "./servers/servers.ts";
export type { Attention, KeyValues, Platform } from "./ports.ts";
export { createPreferences } from "./preferences/create-preferences.ts";
export type { Preferences, PreferencesState } from "./preferences/preferences.ts";
export { problemOf } from "./rest/rest-problem.ts";
export type { Rest, RestResult } from "./rest/rest.ts";
export { openBridgeStore } from "./store/bridge-store.ts";
export { droppedUpTo, createBoundedStore } from "./store/bounded-store.ts";
export type { StorageState } from "./store/watched-store.ts";
export type { AccountSync, AccountSyncState } from "./sync/account-sync.ts";
