import { compareText } from "./order.ts";
import type { DeviceRoom, DeviceRoomUser } from "./records/room.ts";

/** The same text for equal records in any field order; bytes are left out, because their hash is included. */
const canonical = (record: object): string =>
  JSON.stringify(record, (_key, value: unknown) => {
    if (value instanceof Uint8Array) return undefined;
    if (typeof value === "string") return value.toWellFormed();
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => compareText(a, b)));
  });

/** True if the record replaces the known one: its time is later, or equal and its content greater. */
export function replaces<Kept extends object>(
  arriving: Kept,
  known: Kept,
  timeOf: (record: Kept) => number,
): boolean {
  const later = timeOf(arriving) - timeOf(known);
  return later > 0 || (later === 0 && compareText(canonical(arriving), canonical(known)) > 0);
}

const updatedAt = (record: { readonly updatedAt: number }): number => record.updatedAt;

/** Merges records that carry their own time of change. */
export const isNewer = <Kept extends { readonly updatedAt: number }>(arriving: Kept, known: Kept): boolean =>
  replaces(arriving, known, updatedAt);

type LastRead = Pick<DeviceRoom, "lastReadAt" | "lastReadMessageId">;

const isReadFurther = (a: LastRead, b: LastRead): boolean => {
  const later = (a.lastReadAt ?? -1) - (b.lastReadAt ?? -1);
  return later > 0 || (later === 0 && compareText(a.lastReadMessageId ?? "", b.lastReadMessageId ?? "") > 0);
};

/** The room of the later membership; for the same membership the newer one. Takes the later read position of both. */
export function mergedRoom(arriving: DeviceRoom, known: DeviceRoom): DeviceRoom {
  if (arriving.joinedAt !== known.joinedAt) return arriving.joinedAt > known.joinedAt ? arriving : known;
  const unread = { lastReadAt: null, lastReadMessageId: null };
  const newer = isNewer({ ...arriving, ...unread }, { ...known, ...unread }) ? arriving : known;
  const { lastReadAt, lastReadMessageId } = isReadFurther(arriving, known) ? arriving : known;
  return { ...newer, lastReadAt, lastReadMessageId };
}

type Membership = Pick<DeviceRoomUser, "role" | "joinedAt" | "lastSeenAt">;

/** The later membership; for the same one the latest role, and the last time the user was seen. */
export function mergedMembership(arriving: Membership, known: Membership): Membership {
  if (arriving.joinedAt !== known.joinedAt) return arriving.joinedAt > known.joinedAt ? arriving : known;
  const seen = [arriving.lastSeenAt, known.lastSeenAt].filter((time) => time !== null);
  return { ...arriving, lastSeenAt: seen.length > 0 ? Math.max(...seen) : null };
}

/** A removal wins over everything that began at its time or before. */
export const outlives = (beganAt: number, removedAt: number | undefined): boolean =>
  removedAt === undefined || beganAt > removedAt;
