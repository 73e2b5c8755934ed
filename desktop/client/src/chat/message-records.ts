import { wireMessageSchema } from "@hearth/contracts";
import type { WireMessage } from "@hearth/contracts";
import { copyOf, newMessageSchema } from "@hearth/device";
import type { DeliveryState, DeviceMessage, NewMessage } from "@hearth/device";
import type { SyncedMessage } from "../wire.ts";

const copyOfWritten = copyOf<NewMessage>(newMessageSchema);
const copyOfWire = copyOf<WireMessage>(wireMessageSchema);

/** The message as the store takes it, which of a known one changes the delivery alone. */
export const newMessageOf = (message: NewMessage, delivery: DeliveryState): NewMessage => ({
  ...copyOfWritten(message),
  delivery,
});

/** The message as it travels, with the text it was written with. */
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
