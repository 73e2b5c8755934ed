export type {
  DeviceReader,
  DeviceWriter,
  MessagePosition,
} from "./device-store.ts";
export type {
  BlockedUser,
  ChannelRef,
  ClientStore,
  HistoryPage,
  FullMessage,
  Removal,
  UnreadCount,
} from "./history.ts";
