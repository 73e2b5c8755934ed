import type { WireMessage } from "@hearth/contracts";
import type { DeliveryState, DeviceMessage } from "@hearth/device";
import type { NewMessage } from "@hearth/store";
import type { SyncedMessage } from "../wire.ts";

/** The message as the store takes it, which of a known one changes the delivery alone. */
export const newMessageOf = (message: NewMessage, delivery: DeliveryState): NewMessage => ({
  id: message.id,
  roomId: message.roomId,
  channelId: message.channelId,
  senderId: message.senderId,
  senderDisplayName: message.senderDisplayName,
  content: message.content,
  replyToId: message.replyToId,
  mentions: message.mentions,
  timestamp: message.timestamp,
  delivery,
  clientInstanceId: message.clientInstanceId,
});

/** The message as it travels, with the text it was written with. */
export const wireMessageOf = (message: NewMessage, clientInstanceId: string): WireMessage => ({
  id: message.id,
  content: message.content,
  timestamp: message.timestamp,
  replyToId: message.replyToId,
  mentions: message.mentions,
  clientInstanceId: message.clientInstanceId ?? clientInstanceId,
});

export const syncedMessageOf = (message: NewMessage, clientInstanceId: string): SyncedMessage => ({
  ...wireMessageOf(message, clientInstanceId),
  roomId: message.roomId,
  channelId: message.channelId,
  senderId: message.senderId,
  senderDisplayName: message.senderDisplayName,
});

/** The fields that say where a message is; the server wants no `channelId` where there is none. */
export const addressOf = ({
  roomId,
  channelId,
}: Pick<DeviceMessage, "roomId" | "channelId">): {
  readonly serverId: string;
  readonly channelId?: string;
} => (channelId === null ? { serverId: roomId } : { serverId: roomId, channelId });

/** A message of this device that was taken back before it went out is shown to nobody. */
export const isDiscarded = ({ delivery, deletedAt }: DeviceMessage): boolean =>
  deletedAt !== null && delivery !== "sent";
