import type { ServerResponse } from "node:http";
import { ERRORS } from "@hearth/contracts";
import type { Problem, ProblemError, Quota } from "@hearth/contracts";

const MAX_RETRY_AFTER_MS = 86_400_000;

const problemType = (code: string): string => `urn:hearth:problem:${code.toLowerCase().replaceAll("_", "-")}`;

/** The body of an error response (rule ER1). `details` of the error never replace a standard member. */
export const problemBody = (problem: ProblemError, requestId: string): Problem => ({
  ...problem.extras.details,
  type: problemType(problem.code),
  title: ERRORS[problem.code].title,
  status: problem.status,
  detail: problem.message,
  code: problem.code,
  requestId,
  ...(problem.extras.reason !== undefined && { reason: problem.extras.reason }),
  ...(problem.extras.errors !== undefined && { errors: problem.extras.errors }),
});

/**
 * The `RateLimit` headers of IETF draft 11 and the `X-RateLimit-*` trio (rule ER5). `X-RateLimit-Reset` is in
 * epoch seconds, as is usual for it.
 */
export const quotaHeaders = (quota: Quota, now: number = Date.now()): Record<string, string> => ({
  "RateLimit-Policy": `"${quota.name}";q=${quota.limit};w=${quota.windowSeconds}`,
  RateLimit: `"${quota.name}";r=${quota.remaining};t=${quota.resetSeconds}`,
  "X-RateLimit-Limit": String(quota.limit),
  "X-RateLimit-Remaining": String(quota.remaining),
  "X-RateLimit-Reset": String(Math.ceil(now / 1000) + quota.resetSeconds),
});

function retryAfterSeconds({ code, extras }: ProblemError): number | undefined {
  if (extras.retryAfterMs !== undefined) {
    return Math.ceil(Math.min(Math.max(extras.retryAfterMs, 1), MAX_RETRY_AFTER_MS) / 1000);
  }
  return code === "RATE_LIMITED" ? Math.max(extras.quota?.resetSeconds ?? 1, 1) : undefined;
}

/** The headers of an error response (rules ER4, ER5). */
export function problemHeaders(problem: ProblemError): Record<string, string> {
  const retryAfter = retryAfterSeconds(problem);
  const challenge = problem.code === "AUTH_INVALID" ? 'Bearer error="invalid_token"' : "Bearer";
  return {
    ...(problem.status === 401 && { "WWW-Authenticate": challenge }),
    ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }),
    ...(problem.extras.quota && quotaHeaders(problem.extras.quota)),
  };
}

/** Sends a problem. Every HTTP error of the product is sent by this function (rules ER1 to ER5). */
export function sendProblem(response: ServerResponse, problem: ProblemError, requestId: string): void {
  if (response.writableEnded || response.destroyed) return;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = JSON.stringify(problemBody(problem, requestId));
  response.writeHead(problem.status, {
    "Content-Type": "application/problem+json",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": requestId,
    ...problemHeaders(problem),
  });
  response.end(body);
}
