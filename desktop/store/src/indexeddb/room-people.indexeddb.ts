import { banSchema, membershipSchema } from "@hearth/device";
import { z } from "zod";
import { compareText, sortedByName } from "@hearth/device";
import { mergedMembership, replaces } from "@hearth/device";
import type { DeviceBan, DeviceRoomUser, RoomMembership } from "@hearth/device";
import type { DeviceReader, DeviceWriter } from "../device-store.ts";
import type { StoreCalls } from "./database/calls.indexeddb.ts";
import { within } from "./database/key-ranges.indexeddb.ts";
import { Records, mergeRecords } from "./database/merging.indexeddb.ts";
import { isAtHome } from "./people.indexeddb.ts";
import { text, time } from "./database/records.indexeddb.ts";
import { admitted, ends, removalKey } from "./database/removals.indexeddb.ts";

interface Person {
  readonly roomId: string;
  readonly userId: string;
}

const keyOf = ({ roomId, userId }: Person): [string, string] => [roomId, userId];

const mergedMember = (arriving: RoomMembership, known: RoomMembership): RoomMembership => ({
  ...arriving,
  ...mergedMembership(arriving, known),
});

const mergedBan = (arriving: DeviceBan, known: DeviceBan): DeviceBan | undefined =>
  replaces(arriving, known, ({ createdAt }) => createdAt) ? arriving : undefined;

const removed = z.tuple([text, text, time.optional()]);

type RoomPeopleWriter = Pick<DeviceWriter, "saveRoomUsers" | "removeRoomUser" | "saveBans" | "removeBan">;

export function roomPeopleWriter({ write }: StoreCalls): RoomPeopleWriter {
  return {
    saveRoomUsers: write(
      ["roomUsers", "removals"],
      z.tuple([z.array(membershipSchema)]),
      async (transaction, arriving) => {
        const members = transaction.objectStore("roomUsers");
        const standing = await admitted(transaction, arriving, ({ roomId, userId, joinedAt }) => ({
          key: removalKey("room user", roomId, userId),
          beganAt: joinedAt,
        }));
        await mergeRecords(standing, {
          keyOf,
          get: (key) => members.get(key),
          put: (record) => members.put(record),
          merged: mergedMember,
        });
      },
    ),
    removeRoomUser: write(["roomUsers", "removals"], removed, async (transaction, roomId, userId, at?) => {
      const members = transaction.objectStore("roomUsers");
      const known = await members.get([roomId, userId]);
      const isOver = await ends(transaction, removalKey("room user", roomId, userId), known?.joinedAt, at);
      if (isOver) await members.delete([roomId, userId]);
    }),
    saveBans: write(["bans", "removals"], z.tuple([z.array(banSchema)]), async (transaction, arriving) => {
      const bans = transaction.objectStore("bans");
      const standing = await admitted(transaction, arriving, ({ roomId, userId, createdAt }) => ({
        key: removalKey("ban", roomId, userId),
        beganAt: createdAt,
      }));
      await mergeRecords(standing, {
        keyOf,
        get: (key) => bans.get(key),
        put: (record) => bans.put(record),
        merged: mergedBan,
      });
    }),
    removeBan: write(["bans", "removals"], removed, async (transaction, roomId, userId, at?) => {
      const bans = transaction.objectStore("bans");
      const known = await bans.get([roomId, userId]);
      const isOver = await ends(transaction, removalKey("ban", roomId, userId), known?.createdAt, at);
      if (isOver) await bans.delete([roomId, userId]);
    }),
  };
}

const inOrder = (people: readonly DeviceRoomUser[]): readonly DeviceRoomUser[] =>
  sortedByName(
    people,
    ({ displayName }) => displayName,
    ({ id }) => id,
  );

const isInForce = ({ expiresAt }: DeviceBan, now: number): boolean => expiresAt === null || expiresAt > now;

export function roomPeopleReader({
  read,
}: StoreCalls): Pick<DeviceReader, "roomUsers" | "bans" | "isBanned"> {
  return {
    roomUsers: read(
      ["rooms", "roomUsers", "users", "friends", "profile"],
      async (transaction, roomId: string) => {
        const users = transaction.objectStore("users");
        const [room, memberships, friends, profile] = await Promise.all([
          transaction.objectStore("rooms").get(roomId),
          transaction.objectStore("roomUsers").getAll(within(roomId)),
          transaction.objectStore("friends").getAllKeys(),
          transaction.objectStore("profile").get(1),
        ]);
        if (room === undefined) return undefined;
        const known = await Records.read(
          memberships.map(({ userId }): [string, string] => [userId, room.signalServerUrl]),
          (key) => users.get(key),
        );
        const friendIds = new Set(friends);
        const people = memberships.flatMap(({ userId, ...place }): DeviceRoomUser[] => {
          const person = known.get([userId, room.signalServerUrl]);
          if (!person) return [];
          const isFriend = friendIds.has(userId) && isAtHome(person, profile?.homeSignalServerUrl);
          return [{ ...person, ...place, isFriend }];
        });
        return inOrder(people);
      },
    ),
    bans: read(["rooms", "bans"], async (transaction, roomId: string, now: number) => {
      const [room, bans] = await Promise.all([
        transaction.objectStore("rooms").getKey(roomId),
        transaction.objectStore("bans").getAll(within(roomId)),
      ]);
      if (room === undefined) return undefined;
      return bans
        .filter((known) => isInForce(known, now))
        .toSorted((a, b) => a.createdAt - b.createdAt || compareText(a.userId, b.userId));
    }),
    isBanned: read(["rooms", "bans"], async (transaction, roomId: string, userId: string, now: number) => {
      const [room, known] = await Promise.all([
        transaction.objectStore("rooms").getKey(roomId),
        transaction.objectStore("bans").get([roomId, userId]),
      ]);
      return room === undefined ? undefined : known !== undefined && isInForce(known, now);
    }),
  };
}
