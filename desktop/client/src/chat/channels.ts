import type { DeviceRoom } from "@hearth/device";
import type { ChannelRef } from "@hearth/store";

/** The channels of a server that hold messages: its text channels, or the server itself if it has none. */
export function channelsOf(room: DeviceRoom): readonly ChannelRef[] {
  const text = room.channels.filter(({ kind }) => kind === "text");
  if (text.length === 0) return [{ roomId: room.id, channelId: null }];
  return text.map(({ id }) => ({ roomId: room.id, channelId: id }));
}
