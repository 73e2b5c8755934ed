import { ProblemError } from "@hearth/contracts";
import type { MessagePosition } from "../store/device-store.ts";

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

/** The last moment that a `Date` knows. */
const END_OF_TIME = 8_640_000_000_000_000;

/** Any time will do; one beyond the end of time is as good as the end. */
export const sinceOf = (timestamp: number): number =>
  Math.min(END_OF_TIME, Math.max(-END_OF_TIME, integer("sinceTimestamp", timestamp)));

const POSITION = /^(-?\d{1,16})\.(.+)$/su;

/** A place to go on from, as a text that a client passes back without looking into it. */
const positionText = ({ timestamp, id }: MessagePosition): string =>
  Buffer.from(`${timestamp}.${id}`, "utf8").toString("base64url");

export function positionOf(text: string): MessagePosition {
  const match = POSITION.exec(Buffer.from(text, "base64url").toString("utf8"));
  const timestamp = Number(match?.[1]);
  const id = match?.[2];
  if (id === undefined || !Number.isSafeInteger(timestamp)) {
    throw refused("after", "must be taken from a next link");
  }
  return { timestamp, id };
}

/** `Link` (RFC 8288) to the page that starts behind the position, relative to the request's address. */
export function nextLink(
  path: string,
  query: Readonly<Record<string, number>>,
  position: MessagePosition,
): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return `<${path}?${pairs.join("&")}&after=${positionText(position)}>; rel="next"`;
}
