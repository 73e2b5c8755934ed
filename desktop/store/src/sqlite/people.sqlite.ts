import { copyOf, friendSchema, isNewer, personSchema, profileSchema } from "@hearth/device";
import type { DeviceFriend, DeviceProfile, Person } from "@hearth/device";
import type { DeviceCalls, WriterCalls } from "./database/calls.sqlite.ts";
import type { DeviceReader, DeviceWriter } from "../device-store.ts";
import { removalsOf } from "./database/removals.sqlite.ts";
import { Table } from "./database/table.sqlite.ts";

const PROFILES = new Table<DeviceProfile>("profile", profileSchema);
const PROFILE = `SELECT ${PROFILES.select()} FROM profile`;
const FRIENDS = new Table<DeviceFriend>("friends", friendSchema);
const PEOPLE = new Table<Person>("users", personSchema);

const copyOfProfile = copyOf<DeviceProfile>(profileSchema);
const copyOfPerson = copyOf<Person>(personSchema);

const AT_HOME = "u.signal_server_url = (SELECT home_signal_server_url FROM profile)";

/** Friends are users at home: the same id on another instance is another user. */
export const USER = `${PEOPLE.select("u")}, EXISTS (SELECT 1 FROM friends f WHERE f.user_id = u.id)
    AND coalesce(${AT_HOME}, TRUE) AS isFriend`;

const writing = ({ prepare }: WriterCalls) => ({
  profile: prepare(PROFILE),
  putProfile: prepare(`INSERT OR REPLACE ${PROFILES.into({ one: "1" })}`),
  user: prepare(`SELECT ${PEOPLE.select("u")} FROM users u WHERE u.id = ? AND u.signal_server_url = ?`),
  putUser: prepare(`INSERT OR REPLACE ${PEOPLE.into()}`),
  friend: prepare("SELECT added_at AS addedAt FROM friends WHERE user_id = ?"),
  putFriend: prepare(`
    INSERT INTO friends (user_id, added_at) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET added_at = max(added_at, excluded.added_at)`),
  forgetFriend: prepare("DELETE FROM friends WHERE user_id = ?"),
});

type PeopleWriter = Pick<DeviceWriter, "saveProfile" | "saveUsers" | "saveFriends" | "removeFriend">;

export function peopleWriter(db: WriterCalls): PeopleWriter {
  const sql = writing(db);
  const removals = removalsOf(db);
  return {
    saveProfile: db.transaction((profile) => {
      const arriving = copyOfProfile(profile);
      const known = sql.profile.get();
      if (!known || isNewer(arriving, PROFILES.record(known))) sql.putProfile.run(PROFILES.row(arriving));
    }),
    saveUsers: db.transaction((users) => {
      for (const user of users) {
        const arriving = copyOfPerson(user);
        const known = sql.user.get(user.id, user.signalServerUrl);
        if (!known || isNewer(arriving, PEOPLE.record(known))) sql.putUser.run(PEOPLE.row(arriving));
      }
    }),
    saveFriends: db.transaction((friends) => {
      for (const { userId, addedAt } of friends) {
        if (removals.admit("friend", addedAt, userId)) sql.putFriend.run(userId, addedAt);
      }
    }),
    removeFriend: db.transaction((userId, at) => {
      const addedAt = sql.friend.get(userId)?.["addedAt"] as number | undefined;
      if (removals.end("friend", addedAt, at, userId)) sql.forgetFriend.run(userId);
    }),
  };
}

export type UserRow = Person & { readonly isFriend: number };

export function peopleReader({
  prepare,
  query,
}: DeviceCalls): Pick<DeviceReader, "profile" | "user" | "friends"> {
  const profile = prepare(PROFILE);
  const user = prepare(`
    SELECT ${USER} FROM users u WHERE u.id = :userId AND (:url IS NULL OR u.signal_server_url = :url)
    ORDER BY ${AT_HOME} DESC, u.signal_server_url LIMIT 1`);
  const friends = prepare(`SELECT ${FRIENDS.select()} FROM friends ORDER BY added_at, user_id`);
  return {
    profile: query(() => {
      const row = profile.get();
      return row && PROFILES.record(row);
    }),
    user: query((userId, signalServerUrl) => {
      const row = user.get({ userId, url: signalServerUrl ?? null }) as UserRow | undefined;
      return row && { ...row, isFriend: row.isFriend === 1 };
    }),
    friends: query(() => friends.all().map((row) => FRIENDS.record(row))),
  };
}
