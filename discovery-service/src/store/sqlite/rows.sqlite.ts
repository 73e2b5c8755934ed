import type { Channel } from "@hearth/contracts";
import { columnsOf, pickFields } from "@hearth/runtime";
import { listedServer, memberRecord } from "../../domain/records.ts";
import type { ListedServer, MemberRecord, ServerRecord } from "../../domain/records.ts";
import type { Slice } from "../../domain/store.ts";

export const LISTED = columnsOf(listedServer).select("s");
export const SERVER = `${LISTED}, s.channels`;
export const MEMBER = columnsOf(memberRecord).select("m");

/** Lists are stored as JSON. */
export type ListedRow = Omit<ListedServer, "tags"> & { readonly tags: string };
export type ServerRow = ListedRow & { readonly channels: string };

/** All `null` where a left join found no member. */
export type MemberRow = { [Key in keyof MemberRecord]: MemberRecord[Key] | null };

export const listedOf = (row: ListedRow): ListedServer =>
  pickFields(listedServer, { ...row, tags: JSON.parse(row.tags) as string[] });

export const serverOf = (row: ServerRow): ServerRecord => ({
  ...listedOf(row),
  channels: JSON.parse(row.channels) as Channel[],
});

export const memberOf = (row: MemberRow): MemberRecord | null =>
  row.userId === null ? null : pickFields(memberRecord, row as MemberRecord);

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
