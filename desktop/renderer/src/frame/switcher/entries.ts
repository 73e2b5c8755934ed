import { channelKey } from "@hearth/client";
import type { ChannelActivity } from "@hearth/client";
import type { SavedServer } from "@hearth/client";
import type { ChannelRef } from "@hearth/store";
import { hostOf } from "../../strings/host.ts";
import { channelsOf } from "../channels/channel-order.ts";
import type { PersonHere } from "../../people/member-groups.ts";
import { fitOf } from "./match.ts";

/** Where the switcher leads. */
export type SwitcherEntry = {
  readonly key: string;
  readonly name: string;
  /** What tells it from another of the same name. */
  readonly detail: string;
  readonly unread: number;
  readonly mentions: number;
} & (
  | { readonly kind: "room"; readonly roomId: string }
  | { readonly kind: "channel"; readonly channel: ChannelRef }
  | { readonly kind: "person"; readonly userId: string }
);

interface Known {
  readonly servers: readonly SavedServer[];
  readonly activity: ReadonlyMap<string, ChannelActivity>;
  /** Of the room that is shown. */
  readonly people: readonly PersonHere[];
  readonly roomName: string | null;
}

const entriesOfRoom = ({ room }: SavedServer, activity: Known["activity"]): readonly SwitcherEntry[] => {
  const channels = channelsOf(room, "text").map((channel): SwitcherEntry => {
    const place = { roomId: room.id, channelId: channel.id };
    const counts = activity.get(channelKey(place));
    const [unread, mentions] = [room.muted ? 0 : (counts?.messages ?? 0), counts?.mentions ?? 0];
    return {
      kind: "channel",
      key: channelKey(place),
      name: channel.name,
      detail: room.name,
      unread,
      mentions,
      channel: place,
    };
  });
  const detail = hostOf(room.signalServerUrl);
  return [
    { kind: "room", key: room.id, name: room.name, detail, unread: 0, mentions: 0, roomId: room.id },
    ...channels,
  ];
};

/** Everything the switcher knows. */
export const entriesOf = ({ servers, activity, people, roomName }: Known): readonly SwitcherEntry[] => [
  ...servers.flatMap((server) => entriesOfRoom(server, activity)),
  ...people.map(
    ({ userId, displayName }): SwitcherEntry => ({
      kind: "person",
      key: `person:${userId}`,
      name: displayName,
      detail: roomName ?? "",
      unread: 0,
      mentions: 0,
      userId,
    }),
  ),
];

/** `room channel` finds the channel too. */
const bestFit = (typed: string, { kind, name, detail }: SwitcherEntry): number =>
  Math.max(fitOf(typed, name), kind === "channel" ? fitOf(typed, `${detail} ${name}`) * 0.8 : 0);

/** What is shown for a text: mentions, unread ones and recent servers first while nothing was typed, then the best fit. */
export function found(
  entries: readonly SwitcherEntry[],
  typed: string,
  recent: readonly ChannelRef[],
  limit = 12,
): readonly SwitcherEntry[] {
  const order = new Map(recent.map((channel, index) => [channelKey(channel), index]));
  const recency = ({ key }: SwitcherEntry): number => order.get(key) ?? recent.length;
  const urgency = ({ mentions, unread }: SwitcherEntry): number => (mentions > 0 ? 0 : unread > 0 ? 1 : 2);
  if (typed.trim() === "")
    return entries
      .filter((entry) => entry.kind === "channel")
      .sort((one, other) => urgency(one) - urgency(other) || recency(one) - recency(other))
      .slice(0, limit);
  return entries
    .map((entry) => ({ entry, fit: bestFit(typed, entry) }))
    .filter(({ fit }) => fit > 0)
    .sort((one, other) => other.fit - one.fit || recency(one.entry) - recency(other.entry))
    .slice(0, limit)
    .map(({ entry }) => entry);
}
