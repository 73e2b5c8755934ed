import type { IncomingMessage } from "node:http";
import { ProblemError } from "@hearth/contracts";

const BEARER = /^bearer +([^\s,]+)$/i;

/**
 * The token of `Authorization: Bearer`; `undefined` when no bearer credential is presented. Throws `AUTH_INVALID` for a
 * malformed bearer credential, and `INVALID_REQUEST` for two `Authorization` headers, because two parts of a system may
 * each read a different one.
 */
export function bearerToken(request: IncomingMessage): string | undefined {
  const header = request.headers.authorization?.trim();
  if (header === undefined) return undefined;
  if ((request.headersDistinct["authorization"]?.length ?? 0) > 1) {
    throw new ProblemError("INVALID_REQUEST", "More than one Authorization header");
  }
  const token = BEARER.exec(header)?.[1];
  if (token !== undefined) return token;
  if (/^bearer(\s|$)/i.test(header)) throw new ProblemError("AUTH_INVALID", undefined, { reason: "unknown" });
  return undefined;
}
