import { friendSchema, personSchema, profileSchema } from "@hearth/device";
import { z } from "zod";
import { compareText } from "@hearth/device";
import { isNewer } from "@hearth/device";
import type { DeviceUser } from "@hearth/device";
import type { DeviceReader, DeviceWriter } from "../device-store.ts";
import type { StoreCalls } from "./database/calls.indexeddb.ts";
import { within } from "./database/key-ranges.indexeddb.ts";
import { mergeRecords } from "./database/merging.indexeddb.ts";
import { text, time } from "./database/records.indexeddb.ts";
import { admitted, ends, removalKey } from "./database/removals.indexeddb.ts";

const ONE = 1;

/** Friends are users at home: the same id on another instance is another user. */
export const isAtHome = (
  { signalServerUrl }: Pick<DeviceUser, "signalServerUrl">,
  homeUrl: string | undefined,
): boolean => homeUrl === undefined || signalServerUrl === homeUrl;

type PeopleWriter = Pick<DeviceWriter, "saveProfile" | "saveUsers" | "saveFriends" | "removeFriend">;

export function peopleWriter({ write }: StoreCalls): PeopleWriter {
  return {
    saveProfile: write(["profile"], z.tuple([profileSchema]), async (transaction, arriving) => {
      const store = transaction.objectStore("profile");
      const known = await store.get(ONE);
      if (!known || isNewer(arriving, known)) await store.put(arriving, ONE);
    }),
    saveUsers: write(["users"], z.tuple([z.array(personSchema)]), async (transaction, arriving) => {
      const users = transaction.objectStore("users");
      await mergeRecords(arriving, {
        keyOf: ({ id, signalServerUrl }): [string, string] => [id, signalServerUrl],
        get: (key) => users.get(key),
        put: (record) => users.put(record),
        merged: (record, known) => (isNewer(record, known) ? record : undefined),
      });
    }),
    saveFriends: write(
      ["friends", "removals"],
      z.tuple([z.array(friendSchema)]),
      async (transaction, arriving) => {
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
      },
    ),
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
    user: read(
      ["users", "friends", "profile"],
      async (transaction, userId: string, signalServerUrl?: string) => {
        const [people, friendship, profile] = await Promise.all([
          transaction.objectStore("users").getAll(within(userId)),
          transaction.objectStore("friends").getKey(userId),
          transaction.objectStore("profile").get(ONE),
        ]);
        const homeUrl = profile?.homeSignalServerUrl;
        const person =
          signalServerUrl === undefined
            ? (people.find((it) => it.signalServerUrl === homeUrl) ?? people[0])
            : people.find((it) => it.signalServerUrl === signalServerUrl);
        return person && { ...person, isFriend: friendship !== undefined && isAtHome(person, homeUrl) };
      },
    ),
    friends: read(["friends"], async (transaction) => {
      const friends = await transaction.objectStore("friends").getAll();
      return friends.toSorted((a, b) => a.addedAt - b.addedAt || compareText(a.userId, b.userId));
    }),
  };
}
