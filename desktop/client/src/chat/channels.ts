import type { DeviceRoom } from "@hearth/device";
import type { ChannelPlace } from "@hearth/store";

/** Where messages of a room are: its text channels, or the room itself where it has none. */
export function channelsOf(room: DeviceRoom): readonly ChannelPlace[] {
  const text = room.channels.filter(({ kind }) => kind === "text");
  if (text.length === 0) return [{ roomId: room.id, channelId: null }];
  return text.map(({ id }) => ({ roomId: room.id, channelId: id }));
}
