import { createHash } from "node:crypto";
import { ProblemError } from "@hearth/contracts";
import { z } from "zod";

/**
 * A cursor holds the values by which the last item of a page is ordered, so that insertions and deletions between two
 * pages neither repeat nor hide items. The checksum binds it to its list and detects damaged or edited cursors. It is not
 * a signature: a forged position only leads to another part of a list that the caller may read anyway.
 */
const checksum = (scope: string, payload: string): string =>
  createHash("sha256").update(`${scope}\n${payload}`).digest("base64url").slice(0, 16);

export function encodeCursor(scope: string, position: readonly unknown[]): string {
  const payload = Buffer.from(JSON.stringify(position)).toString("base64url");
  return `${payload}.${checksum(scope, payload)}`;
}

const refused = (): ProblemError =>
  new ProblemError("NOT_FOUND", "The cursor does not belong to this list", {
    errors: [{ path: "cursor", message: "is not a cursor of this list" }],
  });

export function decodeCursor<Position>(
  scope: string,
  schema: z.ZodType<Position>,
  cursor: string | undefined,
): Position | null {
  if (cursor === undefined) return null;
  const [payload = "", sum, ...rest] = cursor.split(".");
  if (rest.length > 0 || sum !== checksum(scope, payload)) throw refused();
  const position = schema.safeParse(read(payload));
  if (!position.success) throw refused();
  return position.data;
}

function read(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, "base64url").toString());
  } catch {
    return undefined;
  }
}

/** A position in a list that is ordered by a time and then by an id. */
export const timePosition = z.tuple([z.number(), z.string()]);
export type TimePosition = z.output<typeof timePosition>;

export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface PageOf<Item> {
  readonly items: Item[];
  readonly nextCursor: string | null;
}

/** Lists read one row more than a page holds: it tells whether another page follows. */
export function pageOf<Row>(rows: readonly Row[], limit: number, cursor: (last: Row) => string): PageOf<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: last !== undefined && rows.length > limit ? cursor(last) : null };
}
