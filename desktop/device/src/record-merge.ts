import { compareText } from "./order.ts";
import type { DeviceRoom, DeviceRoomUser } from "./records/room.ts";

/** The same text for equal records, whatever the order of their fields; bytes are left out, their hash stands in. */
const canonical = (record: object): string =>
  JSON.stringify(record, (_key, value: unknown) => {
    if (value instanceof Uint8Array) return undefined;
    if (typeof value === "string") return value.toWellFormed();
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => compareText(a, b)));
  });

/** True when the record replaces the known one: its time is later, or equal and its content greater. */
export function replaces<Kept extends object>(
  arriving: Kept,
  known: Kept,
  timeOf: (record: Kept) => number,
): boolean {
  const later = timeOf(arriving) - timeOf(known);
  return later > 0 || (later === 0 && compareText(canonical(arriving), canonical(known)) > 0);
}

const updatedAt = (record: { readonly updatedAt: number }): number => record.updatedAt;

/** The rule for whatever carries its own time of change. */
export const isNewer = <Kept extends { readonly updatedAt: number }>(arriving: Kept, known: Kept): boolean =>
  replaces(arriving, known, updatedAt);

type LastRead = Pick<DeviceRoom, "lastReadAt" | "lastReadMessageId">;

const isReadFurther = (a: LastRead, b: LastRead): boolean => {
  const later = (a.lastReadAt ?? -1) - (b.lastReadAt ?? -1);
  return later > 0 || (later === 0 && compareText(a.lastReadMessageId ?? "", b.lastReadMessageId ?? "") > 0);
};

/** The room of the later membership, of one membership the newer; read as far as either of the two. */
export function mergedRoom(arriving: DeviceRoom, known: DeviceRoom): DeviceRoom {
  if (arriving.joinedAt !== known.joinedAt) return arriving.joinedAt > known.joinedAt ? arriving : known;
  const unread = { lastReadAt: null, lastReadMessageId: null };
  const newer = isNewer({ ...arriving, ...unread }, { ...known, ...unread }) ? arriving : known;
  const { lastReadAt, lastReadMessageId } = isReadFurther(arriving, known) ? arriving : known;
  return { ...newer, lastReadAt, lastReadMessageId };
}

type Membership = Pick<DeviceRoomUser, "role" | "joinedAt" | "lastSeenAt">;

/** The later membership; of one and the same the role that was told last, and the last time the person was seen. */
export function mergedMembership(arriving: Membership, known: Membership): Membership {
  if (arriving.joinedAt !== known.joinedAt) return arriving.joinedAt > known.joinedAt ? arriving : known;
  const seen = [arriving.lastSeenAt, known.lastSeenAt].filter((time) => time !== null);
  return { ...arriving, lastSeenAt: seen.length > 0 ? Math.max(...seen) : null };
}

/** A removal stands against everything that began at its time or before. */
export const outlives = (beganAt: number, removedAt: number | undefined): boolean =>
  removedAt === undefined || beganAt > removedAt;
