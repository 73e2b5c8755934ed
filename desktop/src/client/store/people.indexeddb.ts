import { z } from "zod";
import { compareText } from "../../device/order.ts";
import { isNewer } from "../../device/record-merge.ts";
import type { DeviceReader, DeviceWriter } from "../../store/device-store.ts";
import type { StoreCalls } from "./calls.indexeddb.ts";
import { mergeRecords } from "./merging.indexeddb.ts";
import { friend, profile, text, time, user } from "./records.indexeddb.ts";
import { admitted, ends, removalKey } from "./removals.indexeddb.ts";

const ONE = 1;

type PeopleWriter = Pick<DeviceWriter, "saveProfile" | "saveUsers" | "saveFriends" | "removeFriend">;

export function peopleWriter({ write }: StoreCalls): PeopleWriter {
  return {
    saveProfile: write(["profile"], z.tuple([profile]), async (transaction, arriving) => {
      const store = transaction.objectStore("profile");
      const known = await store.get(ONE);
      if (!known || isNewer(arriving, known)) await store.put(arriving, ONE);
    }),
    saveUsers: write(["users"], z.tuple([z.array(user)]), async (transaction, arriving) => {
      const users = transaction.objectStore("users");
      await mergeRecords(arriving, {
        keyOf: ({ id }) => id,
        get: (id) => users.get(id),
        put: (record) => users.put(record),
        merged: (record, known) => (isNewer(record, known) ? record : undefined),
      });
    }),
    saveFriends: write(["friends", "removals"], z.tuple([z.array(friend)]), async (transaction, arriving) => {
      const friends = transaction.objectStore("friends");
      const standing = await admitted(transaction, arriving, ({ userId, addedAt }) => ({
        key: removalKey("friend", userId),
        beganAt: addedAt,
      }));
      await mergeRecords(standing, {
        keyOf: ({ userId }) => userId,
        get: (userId) => friends.get(userId),
        put: (record) => friends.put(record),
        merged: (record, known) => (record.addedAt > known.addedAt ? record : undefined),
      });
    }),
    removeFriend: write(
      ["friends", "removals"],
      z.tuple([text, time.optional()]),
      async (transaction, userId, at?) => {
        const friends = transaction.objectStore("friends");
        const known = await friends.get(userId);
        const isOver = await ends(transaction, removalKey("friend", userId), known?.addedAt, at);
        if (isOver) await friends.delete(userId);
      },
    ),
  };
}

export function peopleReader({ read }: StoreCalls): Pick<DeviceReader, "profile" | "user" | "friends"> {
  return {
    profile: read(["profile"], (transaction) => transaction.objectStore("profile").get(ONE)),
    user: read(["users", "friends"], async (transaction, userId: string) => {
      const [person, friendship] = await Promise.all([
        transaction.objectStore("users").get(userId),
        transaction.objectStore("friends").getKey(userId),
      ]);
      return person && { ...person, isFriend: friendship !== undefined };
    }),
    friends: read(["friends"], async (transaction) => {
      const friends = await transaction.objectStore("friends").getAll();
      return friends.toSorted((a, b) => a.addedAt - b.addedAt || compareText(a.userId, b.userId));
    }),
  };
}
