import type { IncomingMessage } from "node:http";
import { ProblemError } from "@hearth/contracts";

const BEARER = /^bearer +([^\s,]+)$/i;

/**
 * The token of `Authorization: Bearer`; `undefined` when no bearer credential is presented. A bearer credential
 * that cannot be read is `AUTH_INVALID`; two `Authorization` headers are `INVALID_REQUEST`, since any two parts
 * of a system may each believe another one.
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
