import { channelKey } from "@hearth/client";
import type { ChannelActivity } from "@hearth/client";
import type { DeviceChannel, DeviceRoom } from "@hearth/device";
import type { ChannelRef } from "@hearth/store";

const byPosition = (one: DeviceChannel, other: DeviceChannel): number => one.position - other.position;

export const channelsOf = (room: Pick<DeviceRoom, "channels">, kind: DeviceChannel["kind"]) =>
  room.channels.filter((channel) => channel.kind === kind).sort(byPosition);

/** Where somebody who opens a room arrives: where they were last, else in its first channel for text. */
export function entranceOf(
  room: Pick<DeviceRoom, "id" | "channels">,
  recent: readonly ChannelRef[],
): string | null {
  const channels = channelsOf(room, "text");
  const last = recent.find(
    ({ roomId, channelId }) => roomId === room.id && channels.some(({ id }) => id === channelId),
  );
  return last?.channelId ?? channels[0]?.id ?? null;
}

type Activity = ReadonlyMap<string, Pick<ChannelActivity, "messages">>;

/**
 * The channel before (-1) or behind (1) one in the order of the list, around its ends; with `activity` only those that
 * have something unread. `null` where there is no other.
 */
export function neighbourOf(
  channels: readonly ChannelRef[],
  current: ChannelRef | null,
  step: 1 | -1,
  activity?: Activity,
): ChannelRef | null {
  const own = current === null ? null : channelKey(current);
  const index = channels.findIndex((channel) => channelKey(channel) === own);
  const start = index >= 0 ? index : step === 1 ? -1 : 0;
  const around = Array.from(
    { length: channels.length },
    (_, distance) => channels[(start + step * (distance + 1) + channels.length * 2) % channels.length],
  );
  const isWanted = (channel: ChannelRef): boolean =>
    channelKey(channel) !== own &&
    (activity === undefined || (activity.get(channelKey(channel))?.messages ?? 0) > 0);
  return around.find((channel) => channel !== undefined && isWanted(channel)) ?? null;
}
