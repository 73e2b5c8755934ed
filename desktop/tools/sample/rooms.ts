import type { DeviceChannel, DeviceRoom, NewMessage, RoomMembership } from "@hearth/device";
import { namesOf } from "./accounts.ts";
import type { Accounts } from "./accounts.ts";
import { YEAR_MS } from "./calendar.ts";
import { cast, me } from "./cast.ts";
import type { SampleRoom } from "./sample-rooms.ts";
import type { Random } from "./random.ts";

type Role = DeviceRoom["role"];

function roleOf({ kind, members }: SampleRoom, key: string): Role {
  if (kind === "direct") return "member";
  if (members[0] === key) return "owner";
  return members.includes(`${key}*`) ? "moderator" : "member";
}

const nameOf = (key: string): string => cast.find((person) => person.key === key)?.displayName ?? key;

/** The room before the first message. */
export function roomOf(random: Random, sampleRoom: SampleRoom, accounts: Accounts, end: number): DeviceRoom {
  const { kind, signalServerUrl, description, tags, visibility, muted, members } = sampleRoom;
  const [first = ""] = members;
  const isDirect = kind === "direct";
  const channels = sampleRoom.channels.map(
    (channel, position): DeviceChannel => ({ id: random.uuid(), ...channel, position }),
  );
  const createdAt = end - YEAR_MS - random.between(2, 400) * 86_400_000;
  return {
    id: random.uuid(),
    kind,
    name: isDirect ? nameOf(first) : sampleRoom.name,
    description,
    signalServerUrl,
    actorUserId: accounts.mine(signalServerUrl).id,
    iconHash: null,
    tags,
    visibility,
    ownerId: isDirect ? null : accounts.at(signalServerUrl, first).id,
    peerUserId: isDirect ? accounts.at(signalServerUrl, first).id : null,
    role: roleOf(sampleRoom, me),
    channels,
    muted,
    lastReadMessageId: null,
    lastReadAt: null,
    createdAt,
    joinedAt: Math.max(createdAt, end - YEAR_MS),
    updatedAt: end - 86_400_000,
  };
}

/** The members at the end of the year, last seen with their last message. */
export function membershipsOf(
  sampleRoom: SampleRoom,
  room: DeviceRoom,
  accounts: Accounts,
  messages: readonly NewMessage[],
  gone: ReadonlySet<string>,
): readonly RoomMembership[] {
  return namesOf(sampleRoom.members)
    .map((key) => ({ key, userId: accounts.at(sampleRoom.signalServerUrl, key).id }))
    .filter(({ userId }) => !gone.has(userId))
    .map(({ key, userId }) => ({
      roomId: room.id,
      userId,
      role: roleOf(sampleRoom, key),
      joinedAt: room.joinedAt,
      lastSeenAt: messages.findLast(({ senderId }) => senderId === userId)?.timestamp ?? null,
    }));
}

/** Everything is read except in muted rooms. */
export function readUpTo(room: DeviceRoom, messages: readonly NewMessage[]): DeviceRoom {
  const last = messages.at(room.muted ? -15 : -1);
  if (!last) return room;
  return { ...room, lastReadMessageId: last.id, lastReadAt: last.timestamp + 30_000 };
}
