import type { DeviceFriend } from "@hearth/device";
import { isNewer } from "@hearth/device";
import type { DeviceProfile, DeviceUser } from "@hearth/device";
import type { DeviceCalls, WriterCalls } from "./database/calls.sqlite.ts";
import type { DeviceReader, DeviceWriter } from "../device-store.ts";
import { removalsOf } from "./database/removals.sqlite.ts";

const PROFILE = `SELECT id, username, display_name AS displayName, home_signal_server_url AS homeSignalServerUrl,
  avatar_hash AS avatarHash, avatar_mime AS avatarMime, card_text AS cardText, updated_at AS updatedAt FROM profile`;

type Person = Omit<DeviceUser, "isFriend">;

const PERSON = `u.id, u.username, u.display_name AS displayName, u.signal_server_url AS signalServerUrl,
  u.avatar_hash AS avatarHash, u.avatar_mime AS avatarMime, u.card_text AS cardText`;

const AT_HOME = "u.signal_server_url = (SELECT home_signal_server_url FROM profile)";

/** Friends are people at home: whoever has a friend's id on another instance is another person. */
export const USER = `${PERSON}, EXISTS (SELECT 1 FROM friends f WHERE f.user_id = u.id)
    AND coalesce(${AT_HOME}, TRUE) AS isFriend,
  u.updated_at AS updatedAt`;

const personOf = (user: Person): Person => ({
  id: user.id,
  username: user.username,
  displayName: user.displayName,
  signalServerUrl: user.signalServerUrl,
  avatarHash: user.avatarHash,
  avatarMime: user.avatarMime,
  cardText: user.cardText,
  updatedAt: user.updatedAt,
});

const profileOf = (profile: DeviceProfile): DeviceProfile => ({
  id: profile.id,
  username: profile.username,
  displayName: profile.displayName,
  homeSignalServerUrl: profile.homeSignalServerUrl,
  avatarHash: profile.avatarHash,
  avatarMime: profile.avatarMime,
  cardText: profile.cardText,
  updatedAt: profile.updatedAt,
});

const writing = ({ prepare }: WriterCalls) => ({
  profile: prepare(PROFILE),
  putProfile: prepare(`
    INSERT OR REPLACE INTO profile (one, id, username, display_name, home_signal_server_url, avatar_hash, avatar_mime,
      card_text, updated_at)
    VALUES (1, :id, :username, :displayName, :homeSignalServerUrl, :avatarHash, :avatarMime, :cardText, :updatedAt)`),
  user: prepare(`SELECT ${PERSON}, u.updated_at AS updatedAt FROM users u
    WHERE u.id = ? AND u.signal_server_url = ?`),
  putUser: prepare(`
    INSERT OR REPLACE INTO users (id, username, display_name, signal_server_url, avatar_hash, avatar_mime, card_text,
      updated_at)
    VALUES (:id, :username, :displayName, :signalServerUrl, :avatarHash, :avatarMime, :cardText, :updatedAt)`),
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
      const arriving = profileOf(profile);
      const known = sql.profile.get() as unknown as DeviceProfile | undefined;
      if (!known || isNewer(arriving, profileOf(known))) sql.putProfile.run({ ...arriving });
    }),
    saveUsers: db.transaction((users) => {
      for (const user of users) {
        const arriving = personOf(user);
        const known = sql.user.get(user.id, user.signalServerUrl) as unknown as Person | undefined;
        if (!known || isNewer(arriving, personOf(known))) sql.putUser.run({ ...arriving });
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

export type UserRow = Omit<DeviceUser, "isFriend"> & { readonly isFriend: number };

export function peopleReader({
  prepare,
  query,
}: DeviceCalls): Pick<DeviceReader, "profile" | "user" | "friends"> {
  const profile = prepare(PROFILE);
  const user = prepare(`
    SELECT ${USER} FROM users u WHERE u.id = :userId AND (:url IS NULL OR u.signal_server_url = :url)
    ORDER BY ${AT_HOME} DESC, u.signal_server_url LIMIT 1`);
  const friends = prepare(
    "SELECT user_id AS userId, added_at AS addedAt FROM friends ORDER BY added_at, user_id",
  );
  return {
    profile: query(() => {
      const row = profile.get() as unknown as DeviceProfile | undefined;
      return row && { ...row };
    }),
    user: query((userId, signalServerUrl) => {
      const row = user.get({ userId, url: signalServerUrl ?? null }) as UserRow | undefined;
      return row && { ...row, isFriend: row.isFriend === 1 };
    }),
    friends: query(() => friends.all().map((row) => ({ ...row })) as unknown as DeviceFriend[]),
  };
}
