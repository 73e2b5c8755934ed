import {
  banSchema,
  copyOf,
  membershipSchema,
  mergedMembership,
  replaces,
  sortedByName,
} from "@hearth/device";
import type { DeviceBan, DeviceRoomUser, RoomMembership } from "@hearth/device";
import type { DeviceCalls, WriterCalls } from "./database/calls.sqlite.ts";
import type { DeviceReader, DeviceWriter } from "../device-store.ts";
import { USER } from "./people.sqlite.ts";
import type { UserRow } from "./people.sqlite.ts";
import { removalsOf } from "./database/removals.sqlite.ts";
import { Table } from "./database/table.sqlite.ts";

const BANS = new Table<DeviceBan>("bans", banSchema);
const BAN = `SELECT ${BANS.select()} FROM bans`;
const MEMBERS = new Table<RoomMembership>("room_users", membershipSchema);

const copyOfBan = copyOf<DeviceBan>(banSchema);

const writing = ({ prepare }: WriterCalls) => ({
  member: prepare(`SELECT ${MEMBERS.select()} FROM room_users WHERE room_id = ? AND user_id = ?`),
  putMember: prepare(`INSERT OR REPLACE ${MEMBERS.into()}`),
  forgetMember: prepare("DELETE FROM room_users WHERE room_id = ? AND user_id = ?"),
  ban: prepare(`${BAN} WHERE room_id = ? AND user_id = ?`),
  putBan: prepare(`INSERT OR REPLACE ${BANS.into()}`),
  liftBan: prepare("DELETE FROM bans WHERE room_id = ? AND user_id = ?"),
});

type RoomPeopleWriter = Pick<DeviceWriter, "saveRoomUsers" | "removeRoomUser" | "saveBans" | "removeBan">;

export function roomPeopleWriter(db: WriterCalls): RoomPeopleWriter {
  const sql = writing(db);
  const removals = removalsOf(db);
  const memberOf = (roomId: string, userId: string): RoomMembership | undefined =>
    sql.member.get(roomId, userId) as unknown as RoomMembership | undefined;
  const banFor = (roomId: string, userId: string): DeviceBan | undefined => {
    const row = sql.ban.get(roomId, userId);
    return row && BANS.record(row);
  };
  return {
    saveRoomUsers: db.transaction((memberships) => {
      for (const membership of memberships) {
        const { roomId, userId } = membership;
        if (!removals.admit("room user", membership.joinedAt, roomId, userId)) continue;
        const known = memberOf(roomId, userId);
        const merged = known ? mergedMembership(membership, known) : membership;
        sql.putMember.run(MEMBERS.row({ ...membership, ...merged }));
      }
    }),
    removeRoomUser: db.transaction((roomId, userId, at) => {
      const joinedAt = memberOf(roomId, userId)?.joinedAt;
      if (removals.end("room user", joinedAt, at, roomId, userId)) sql.forgetMember.run(roomId, userId);
    }),
    saveBans: db.transaction((bans) => {
      for (const ban of bans) {
        const { roomId, userId, createdAt } = ban;
        if (!removals.admit("ban", createdAt, roomId, userId)) continue;
        const known = banFor(roomId, userId);
        const isLater = !known || replaces(copyOfBan(ban), known, (record) => record.createdAt);
        if (isLater) sql.putBan.run(BANS.row(ban));
      }
    }),
    removeBan: db.transaction((roomId, userId, at) => {
      const createdAt = banFor(roomId, userId)?.createdAt;
      if (removals.end("ban", createdAt, at, roomId, userId)) sql.liftBan.run(roomId, userId);
    }),
  };
}

const reading = ({ prepare }: DeviceCalls) => ({
  hasRoom: prepare("SELECT 1 FROM rooms WHERE id = ?"),
  members: prepare(`
    SELECT ${USER}, r.room_id AS roomId, r.role, r.joined_at AS joinedAt, r.last_seen_at AS lastSeenAt
    FROM room_users r
    JOIN rooms p ON p.id = r.room_id
    JOIN users u ON u.id = r.user_id AND u.signal_server_url = p.signal_server_url
    WHERE r.room_id = ?`),
  bans: prepare(`
    ${BAN} WHERE room_id = ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY created_at, user_id`),
  banned: prepare(
    "SELECT 1 FROM bans WHERE room_id = ? AND user_id = ? AND (expires_at IS NULL OR expires_at > ?)",
  ),
});

type MemberRow = UserRow & Pick<DeviceRoomUser, "roomId" | "role" | "joinedAt" | "lastSeenAt">;

/**
 * Field by field, because spreading the driver's objects costs more than the query, and a room may have a hundred
 * thousand users.
 */
const memberOf = (row: MemberRow): DeviceRoomUser => ({
  id: row.id,
  username: row.username,
  displayName: row.displayName,
  signalServerUrl: row.signalServerUrl,
  avatarHash: row.avatarHash,
  avatarMime: row.avatarMime,
  cardText: row.cardText,
  isFriend: row.isFriend === 1,
  updatedAt: row.updatedAt,
  roomId: row.roomId,
  role: row.role,
  joinedAt: row.joinedAt,
  lastSeenAt: row.lastSeenAt,
});

const inOrder = (people: readonly DeviceRoomUser[]): readonly DeviceRoomUser[] =>
  sortedByName(
    people,
    ({ displayName }) => displayName,
    ({ id }) => id,
  );

export function roomPeopleReader(db: DeviceCalls): Pick<DeviceReader, "roomUsers" | "bans" | "isBanned"> {
  const sql = reading(db);
  const hasRoom = (roomId: string): boolean => sql.hasRoom.get(roomId) !== undefined;
  return {
    roomUsers: db.snapshot((roomId) => {
      if (!hasRoom(roomId)) return undefined;
      return inOrder((sql.members.all(roomId) as unknown as MemberRow[]).map(memberOf));
    }),
    bans: db.snapshot((roomId, now) => {
      if (!hasRoom(roomId)) return undefined;
      return sql.bans.all(roomId, now).map((row) => BANS.record(row));
    }),
    isBanned: db.snapshot((roomId, userId, now) =>
      hasRoom(roomId) ? sql.banned.get(roomId, userId, now) !== undefined : undefined,
    ),
  };
}
