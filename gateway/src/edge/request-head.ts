import type { IncomingMessage } from "node:http";
import { LIMITS, ProblemError } from "@hearth/contracts";

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export const ALLOWED_METHODS = [...METHODS].join(", ");

export function checkMethod({ method = "" }: IncomingMessage): void {
  if (!METHODS.has(method)) throw new ProblemError("METHOD_NOT_ALLOWED");
}

/** GW7: checks the announced length before the body is read. A body without one is counted as it arrives. */
export function checkLength({ headers }: IncomingMessage): void {
  if (Number(headers["content-length"] ?? 0) > LIMITS.httpBodyBytes) {
    throw new ProblemError("PAYLOAD_TOO_LARGE", `A body may have up to ${LIMITS.httpBodyBytes} bytes`);
  }
}
