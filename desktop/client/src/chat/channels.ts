import type { DeviceRoom } from "@hearth/device";
import type { ChannelRef } from "@hearth/store";

/** Where messages of a room are: its text channels, or the room itself where it has none. */
export function channelsOf(room: DeviceRoom): readonly ChannelRef[] {
  const text = room.channels.filter(({ kind }) => kind === "text");
  if (text.length === 0) return [{ roomId: room.id, channelId: null }];
  return text.map(({ id }) => ({ roomId: room.id, channelId: id }));
}
