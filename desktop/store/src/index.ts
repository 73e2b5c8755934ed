export type {
  DeviceReader,
  DeviceWriter,
  MessagePosition,
} from "./device-store.ts";
export type {
  BlockedUser,
  ChannelPlace,
  ClientStore,
  HistoryPage,
  MessageLore,
  Removal,
  UnreadCount,
} from "./history.ts";
