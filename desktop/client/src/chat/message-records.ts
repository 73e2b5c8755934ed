import { wireMessageSchema } from "@hearth/contracts";
import type { WireMessage } from "@hearth/contracts";
import { copyOf, newMessageSchema } from "@hearth/device";
import type { DeliveryState, DeviceMessage, NewMessage } from "@hearth/device";
import type { SyncedMessage } from "../wire.ts";

const copyOfWritten = copyOf<NewMessage>(newMessageSchema);
const copyOfWire = copyOf<WireMessage>(wireMessageSchema);

/** The message as the store takes it. For a known message the store changes only the delivery. */
export const newMessageOf = (message: NewMessage, delivery: DeliveryState): NewMessage => ({
  ...copyOfWritten(message),
  delivery,
});

/** The message as it is sent, with its original text. */
export const wireMessageOf = (message: NewMessage, clientInstanceId: string): WireMessage => ({
  ...copyOfWire(message),
  clientInstanceId: message.clientInstanceId ?? clientInstanceId,
});

export const syncedMessageOf = (message: NewMessage, clientInstanceId: string): SyncedMessage => ({
  ...wireMessageOf(message, clientInstanceId),
  roomId: message.roomId,
  channelId: message.channelId,
  senderId: message.senderId,
  senderDisplayName: message.senderDisplayName,
});

/** The address of a message on the wire; `channelId` is left out where there is none. */
export const addressOf = ({
  roomId,
  channelId,
}: Pick<DeviceMessage, "roomId" | "channelId">): {
  readonly serverId: string;
  readonly channelId?: string;
} => (channelId === null ? { serverId: roomId } : { serverId: roomId, channelId });

/** Messages that were removed before they were sent are not shown. */
export const isDiscarded = ({ delivery, deletedAt }: DeviceMessage): boolean =>
  deletedAt !== null && delivery !== "sent";
