import { sha256Hex } from "@hearth/runtime";
import type { DeviceCredential, DeviceEmoji, DeviceFriend, NewMessage, PluginDatum } from "@hearth/device";
import type { DeviceBan, DeviceProfile, DeviceRoom } from "@hearth/device";
import type { Accounts } from "./accounts.ts";
import { YEAR_MS } from "./calendar.ts";
import { pictures } from "./pictures.ts";
import { homeServer, otherServer } from "./sample-rooms.ts";
import type { Random } from "./random.ts";

const DAY_MS = 86_400_000;

export function profileOf(accounts: Accounts, end: number): DeviceProfile {
  const { id, person } = accounts.mine(homeServer);
  return {
    id,
    username: person.username,
    displayName: person.displayName,
    homeSignalServerUrl: homeServer,
    avatarHash: null,
    avatarMime: null,
    cardText: person.cardText,
    updatedAt: end - 40 * DAY_MS,
  };
}

export const credentialsOf = (accounts: Accounts, end: number): readonly DeviceCredential[] =>
  [homeServer, otherServer].map((signalServerUrl) => {
    const { id, person } = accounts.mine(signalServerUrl);
    const { username, displayName } = person;
    const isHome = signalServerUrl === homeServer;
    const expiresAt = end + 9 * YEAR_MS;
    return {
      signalServerUrl,
      userId: id,
      username,
      displayName,
      expiresAt,
      autoProvisioned: !isHome,
      isHome,
    };
  });

export const friendsOf = (accounts: Accounts, end: number): readonly DeviceFriend[] =>
  (
    [
      [homeServer, "aylin", 360],
      [homeServer, "sofia", 359],
      [homeServer, "jo", 210],
      [otherServer, "ines", 300],
      [otherServer, "mateo", 158],
    ] as const
  ).map(([server, key, daysAgo]) => ({
    userId: accounts.at(server, key).id,
    addedAt: end - daysAgo * DAY_MS,
  }));

export const emojiOf = (random: Random, end: number): readonly DeviceEmoji[] =>
  pictures().map(({ shortcode, bytes }, index) => ({
    id: random.uuid(),
    shortcode,
    mime: "image/png",
    hash: sha256Hex(Buffer.from(bytes).toString("latin1")),
    bytes,
    updatedAt: end - (300 - 40 * index) * DAY_MS,
  }));

const roomNamed = (rooms: readonly DeviceRoom[], name: string): DeviceRoom => {
  const room = rooms.find((candidate) => candidate.name === name);
  if (!room) throw new RangeError(`there is no room ${name}`);
  return room;
};

export const pluginDataOf = (rooms: readonly DeviceRoom[]): readonly PluginDatum[] => {
  const lindenhof = roomNamed(rooms, "Lindenhof").id;
  const table = roomNamed(rooms, "The Long Table").id;
  return [
    { pluginId: "reminders", key: "snooze-minutes", scope: "local", serverId: null, value: 20 },
    {
      pluginId: "reminders",
      key: "quiet-hours",
      scope: "local",
      serverId: null,
      value: { from: "22:30", to: "07:00" },
    },
    {
      pluginId: "watering",
      key: "plan",
      scope: "server",
      serverId: lindenhof,
      value: [
        { week: 1, who: "Aylin" },
        { week: 2, who: "Ben" },
        { week: 3, who: "Tomas" },
      ],
    },
    {
      pluginId: "scores",
      key: "league",
      scope: "server",
      serverId: table,
      value: { Ines: 41, Nora: 33, Kofi: 32, Walter: 17, "the cat": 9 },
    },
  ];
};

/** A permanent ban, an expired one, and one that still runs. */
export function bansOf(
  accounts: Accounts,
  rooms: readonly DeviceRoom[],
  messages: readonly NewMessage[],
  end: number,
): readonly DeviceBan[] {
  const table = roomNamed(rooms, "The Long Table").id;
  const climbers = roomNamed(rooms, "Tuesday Climbers").id;
  const by = (key: string) => accounts.at(otherServer, key).id;
  const afterLast = (userId: string): number =>
    (messages.findLast(({ senderId }) => senderId === userId)?.timestamp ?? end - 60 * DAY_MS) + 180_000;
  const [spam, rolf, climber] = [by("dealzone"), by("rolf"), accounts.at(homeServer, "rolf").id];
  const rolfAt = Math.min(afterLast(rolf), end - 31 * DAY_MS);
  return [
    {
      roomId: table,
      userId: spam,
      bannedBy: by("ines"),
      reason: "advertising",
      createdAt: afterLast(spam),
      expiresAt: null,
    },
    {
      roomId: table,
      userId: rolf,
      bannedBy: by("ines"),
      reason: "take a month off",
      createdAt: rolfAt,
      expiresAt: rolfAt + 30 * DAY_MS,
    },
    {
      roomId: climbers,
      userId: climber,
      bannedBy: accounts.at(homeServer, "jo").id,
      reason: "shouting at beginners",
      createdAt: end - 12 * DAY_MS,
      expiresAt: end + 78 * DAY_MS,
    },
  ];
}
