import { BLANK_MESSAGE } from "@hearth/device";
import type {
  DeviceCredential,
  DeviceEmoji,
  DeviceFriend,
  NewMessage,
  PluginDatum,
  RoomMembership,
} from "@hearth/device";
import type { DeviceBan, DeviceProfile, DeviceRoom, DeviceUser } from "@hearth/device";
import { Accounts } from "./accounts.ts";
import { bansOf, credentialsOf, emojiOf, friendsOf, pluginDataOf, profileOf } from "./account-records.ts";
import { RoomHistory } from "./messages.ts";
import type { History } from "./messages.ts";
import { sampleRooms } from "./sample-rooms.ts";
import type { SampleRoom } from "./sample-rooms.ts";
import { Random } from "./random.ts";
import { membershipsOf, readUpTo, roomOf } from "./rooms.ts";
import { Talk } from "./talk.ts";

/** A device after a year of chat. */
export interface SampleYear extends History {
  readonly profile: DeviceProfile;
  readonly rooms: readonly DeviceRoom[];
  readonly users: readonly Omit<DeviceUser, "isFriend">[];
  readonly memberships: readonly RoomMembership[];
  readonly bans: readonly DeviceBan[];
  readonly friends: readonly DeviceFriend[];
  readonly emoji: readonly DeviceEmoji[];
  readonly pluginData: readonly PluginDatum[];
  readonly credentials: readonly DeviceCredential[];
  readonly meta: Readonly<Record<string, string>>;
}

interface Lived {
  readonly sampleRoom: SampleRoom;
  readonly room: DeviceRoom;
  readonly history: History;
}

/** An unsent message, as after a tunnel. */
function waiting(random: Random, { room, history }: Lived, accounts: Accounts, device: string, end: number) {
  const { id: senderId, person } = accounts.mine(room.signalServerUrl);
  const last = history.messages.at(-1);
  const message: NewMessage = {
    ...BLANK_MESSAGE,
    id: random.uuid(),
    roomId: room.id,
    channelId: room.channels.find(({ name }) => name === "layout")?.id ?? null,
    senderId,
    senderDisplayName: person.displayName,
    content: "Train, no signal. The new spread is in my bag, I bring it tomorrow",
    timestamp: Math.max(end - 240_000, (last?.timestamp ?? 0) + 1),
    delivery: "pending",
    clientInstanceId: device,
  };
  return message;
}

const byTime = (one: NewMessage, other: NewMessage): number => one.timestamp - other.timestamp;

/** The same seed and end give the same year, to the last id. */
export function sampleYear(seed: number, end: number): SampleYear {
  const random = new Random(seed);
  const accounts = new Accounts(random);
  const devices = [random.uuid(), random.uuid()] as const;
  const lived = sampleRooms.map((sampleRoom): Lived => {
    const room = roomOf(random, sampleRoom, accounts, end);
    const said = new Talk(random, sampleRoom, end).said();
    return { sampleRoom, room, history: new RoomHistory(random, room, accounts, devices, end).of(said) };
  });
  const rooms = lived.map(({ room, history }) => readUpTo(room, history.messages));
  const inTrain = lived
    .filter(({ sampleRoom }) => sampleRoom.key === "openpress")
    .map((it) => waiting(random, it, accounts, devices[1], end));
  const messages = [...lived.flatMap(({ history }) => history.messages), ...inTrain].sort(byTime);
  const bans = bansOf(accounts, rooms, messages, end);
  const gone = new Set(bans.map(({ userId }) => userId));
  const profile = profileOf(accounts, end);
  return {
    profile,
    rooms,
    users: accounts.users(end - 30 * 86_400_000),
    memberships: lived.flatMap(({ sampleRoom, room, history }) =>
      membershipsOf(sampleRoom, room, accounts, history.messages, gone),
    ),
    messages,
    edits: lived.flatMap(({ history }) => history.edits),
    removals: lived.flatMap(({ history }) => history.removals),
    reactions: lived.flatMap(({ history }) => history.reactions),
    files: lived.flatMap(({ history }) => history.files),
    bans,
    friends: friendsOf(accounts, end),
    emoji: emojiOf(random, end),
    pluginData: pluginDataOf(rooms),
    credentials: credentialsOf(accounts, end),
    meta: { app_currentUserId: profile.id, homeSignalServerUrl: profile.homeSignalServerUrl },
  };
}
