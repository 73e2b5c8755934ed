import type { Channel, Role, Visibility } from "@hearth/contracts";
import type { ListedServer, MemberRecord, ServerRecord, Slice } from "../../domain/store.ts";

export const LISTED = `s.id, s.name, s.description, s.icon_hash AS iconHash, s.tags, s.visibility,
  s.owner_id AS ownerId, s.member_count AS memberCount, s.created_at AS createdAt, s.updated_at AS updatedAt,
  s.version`;

export const SERVER = `${LISTED}, s.channels`;

export const MEMBER = `m.server_id AS serverId, m.user_id AS userId, m.username, m.display_name AS displayName, m.role,
  m.joined_at AS joinedAt`;

export interface ListedRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly iconHash: string | null;
  readonly tags: string;
  readonly visibility: Visibility;
  readonly ownerId: string;
  readonly memberCount: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
}

export interface ServerRow extends ListedRow {
  readonly channels: string;
}

/** All `null` where a left join found no member. */
export type MemberRow = { [Key in keyof MemberRecord]: MemberRecord[Key] | null };

export const listedOf = (row: ListedRow): ListedServer => ({
  id: row.id,
  name: row.name,
  description: row.description,
  iconHash: row.iconHash,
  tags: JSON.parse(row.tags) as string[],
  visibility: row.visibility,
  ownerId: row.ownerId,
  memberCount: row.memberCount,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  version: row.version,
});

export const serverOf = (row: ServerRow): ServerRecord => ({
  ...listedOf(row),
  channels: JSON.parse(row.channels) as Channel[],
});

export const memberOf = (row: MemberRow): MemberRecord | null => {
  const { serverId, userId, username, displayName, role, joinedAt } = row;
  if (serverId === null || userId === null || displayName === null) return null;
  if (role === null || joinedAt === null) return null;
  return { serverId, userId, username, displayName, role: role satisfies Role, joinedAt };
};

type Position = readonly [number, string];

/** Before the first row of an ascending list, and of a descending one. */
const FIRST: Position = [-1, ""];
const LAST: Position = [Number.MAX_SAFE_INTEGER, "\u{10FFFF}"];

export const ascending = ({ after, limit }: Slice<Position>): [number, string, number] => [
  ...(after ?? FIRST),
  limit,
];

export const descending = ({ after, limit }: Slice<Position>): [number, string, number] => [
  ...(after ?? LAST),
  limit,
];
