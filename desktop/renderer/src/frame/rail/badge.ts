import type { Instance } from "@hearth/client";
import { channelKey } from "@hearth/client";
import type { ChannelActivity } from "@hearth/client";
import type { DeviceRoom } from "@hearth/device";

/** The one mark of an entry in the rail; the first of these that applies. */
export type Badge =
  | { readonly kind: "sign-in" }
  | { readonly kind: "mentions"; readonly count: number }
  | { readonly kind: "unread" };

type Activity = ReadonlyMap<string, Pick<ChannelActivity, "messages" | "mentions">>;

interface Counts {
  readonly mentions: number;
  readonly isUnread: boolean;
}

/** Of all channels of a room for text. A muted room is never unread, but a mention still counts. */
export function countsOf(room: Pick<DeviceRoom, "id" | "channels" | "muted">, activity: Activity): Counts {
  const channels = room.channels.filter(({ kind }) => kind === "text");
  const all = channels.flatMap(
    ({ id }) => activity.get(channelKey({ roomId: room.id, channelId: id })) ?? [],
  );
  return {
    mentions: all.reduce((sum, { mentions }) => sum + mentions, 0),
    isUnread: !room.muted && all.some(({ messages }) => messages > 0),
  };
}

const badgeOf = ({ mentions, isUnread }: Counts): Badge | null => {
  if (mentions > 0) return { kind: "mentions", count: mentions };
  return isUnread ? { kind: "unread" } : null;
};

export const badgeOfRoom = (
  room: Pick<DeviceRoom, "id" | "channels" | "muted">,
  activity: Activity,
): Badge | null => badgeOf(countsOf(room, activity));

/** A server that was only listed has no account that anybody could be signed out of. */
export const needsSignIn = ({
  authorization,
  account,
  failure,
}: Pick<Instance, "authorization" | "account" | "failure">): boolean =>
  authorization === "needs-sign-in" && (account !== null || failure !== null);

/** Of a signaling server: that it needs sign-in comes before mentions, and those before what is unread. */
export function badgeOfServer(
  server: Pick<Instance, "authorization" | "account" | "failure">,
  rooms: readonly Pick<DeviceRoom, "id" | "channels" | "muted">[],
  activity: Activity,
  isMuted: boolean,
): Badge | null {
  if (needsSignIn(server)) return { kind: "sign-in" };
  const counts = rooms.map((room) => countsOf(room, activity));
  return badgeOf({
    mentions: counts.reduce((sum, { mentions }) => sum + mentions, 0),
    isUnread: !isMuted && counts.some(({ isUnread }) => isUnread),
  });
}
