import { isIP } from "node:net";
import type { IncomingMessage } from "node:http";
import { ProblemError } from "@hearth/contracts";
import type { RouteContract } from "@hearth/contracts";
import type { z } from "zod";
import { INTERNAL_HEADERS } from "../identity/headers.ts";
import { invalidRequest } from "../errors/problems.ts";
import { readJsonBody } from "./json-body.ts";

function check(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidRequest(result.error);
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;

/** A repeated query value arrives as an array. A schema must not coerce it into one value. */
function checkQuery(schema: z.ZodType, query: Readonly<Record<string, unknown>>): unknown {
  const checked = check(schema, query);
  for (const [key, value] of Object.entries(query)) {
    const taken = memberOf(checked, key);
    if (Array.isArray(value) && taken !== undefined && !Array.isArray(taken)) {
      throw new ProblemError("INVALID_REQUEST", undefined, {
        errors: [{ path: key, message: "May be given once" }],
      });
    }
  }
  return checked;
}

export interface CheckedInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

interface Raw extends IncomingMessage {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/** The input of a route, checked by its schemas. Throws `INVALID_REQUEST`, or as {@link readJsonBody} does. */
export async function checkedInput(route: RouteContract, request: Raw): Promise<CheckedInput> {
  const params = route.params && check(route.params, request.params);
  const query = route.query && checkQuery(route.query, request.query);
  const sent = await readJsonBody(request);
  return { params, query, body: route.body && check(route.body, sent ?? {}) };
}

/** The client's address that the gateway passed on, or the peer's address without a gateway. */
export function clientAddressOf(request: IncomingMessage): string {
  const forwarded = request.headers[INTERNAL_HEADERS.clientAddress];
  if (typeof forwarded === "string" && isIP(forwarded) !== 0) return forwarded;
  return request.socket.remoteAddress ?? "unknown";
}
