import { ProblemError } from "@hearth/contracts";
import type { MessagePosition } from "@hearth/store";

/** Interface 8. */
export const PAGE_LIMIT = 500;

const refused = (path: string, message: string): ProblemError =>
  new ProblemError("INVALID_REQUEST", undefined, { errors: [{ path, message }] });

function integer(path: string, value: number): number {
  if (!Number.isInteger(value)) throw refused(path, "must be an integer");
  return value;
}

/** Clamped, not refused (LA2). */
export const pageLimitOf = (limit: number): number =>
  Math.min(PAGE_LIMIT, Math.max(1, integer("limit", limit)));

export function offsetOf(offset: number): number {
  if (Number.isSafeInteger(offset) && offset >= 0) return offset;
  throw refused("offset", "must be an integer from 0 to 9007199254740991");
}

/** The last time that a `Date` can represent. */
const END_OF_TIME = 8_640_000_000_000_000;

/** Any time is accepted; a later one is clamped. */
export const sinceOf = (timestamp: number): number =>
  Math.min(END_OF_TIME, Math.max(-END_OF_TIME, integer("sinceTimestamp", timestamp)));

/** A time and an id in base64url: an opaque position for the client. */
export const POSITION_PATTERN = "^(-?[0-9]{1,16})[.]([A-Za-z0-9_-]+)$";

const POSITION = new RegExp(POSITION_PATTERN);

export const positionText = ({ timestamp, id }: MessagePosition): string =>
  `${timestamp}.${Buffer.from(id, "utf8").toString("base64url")}`;

export function positionOf(text: string): MessagePosition {
  const [, timestamp, id] = POSITION.exec(text) ?? [];
  if (timestamp === undefined || id === undefined) throw refused("after", "must be taken from a next link");
  const { MAX_SAFE_INTEGER: end } = Number;
  return {
    timestamp: Math.min(end, Math.max(-end, Number(timestamp))),
    id: Buffer.from(id, "base64url").toString("utf8"),
  };
}

/** `Link` (RFC 8288) to the page after the position, relative to the request's URL. */
export function nextLink(
  path: string,
  query: Readonly<Record<string, number>>,
  position: MessagePosition,
): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return `<${path}?${pairs.join("&")}&after=${positionText(position)}>; rel="next"`;
}
