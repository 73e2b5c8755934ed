import { ERRORS, type ErrorCode, type Problem } from "@hearth/contracts";
import { expect } from "@jest/globals";
import type { Answer } from "../client/rest.ts";
import type { RawAnswer } from "../client/raw-http.ts";

/** Words about the machine or the code that no error may contain (rule ER1). */
const LEAKS = /\/(home|root|usr|tmp|node_modules)\/|\.(ts|js|mjs):\d|\bat .+\(|sqlite|SELECT |node:internal/i;

/** Checks rules ER1 to ER5 and returns the problem. Pass `status` where HTTP has a more precise one. */
export const expectProblem = (
  answer: Answer<unknown> | RawAnswer,
  code: ErrorCode,
  status: number = ERRORS[code].status,
): Problem => {
  const header = (name: string): string | null =>
    answer.headers instanceof Headers ? answer.headers.get(name) : (answer.headers[name] ?? null);
  const problem = answer.body as Problem;
  expect({ status: answer.status, code: problem.code }).toEqual({ status, code });
  expect(header("content-type")).toBe("application/problem+json");
  expect(problem).toMatchObject({ status, title: ERRORS[code].title });
  expect(problem.type).toMatch(/^urn:/);
  expect(problem.detail).toMatch(/\S/);
  expect(problem.requestId).toBe(header("x-request-id"));
  expect(JSON.stringify(problem)).not.toMatch(LEAKS);
  expect(JSON.stringify(problem)).not.toContain(process.cwd());
  if (status === 401) expect(header("www-authenticate")).toBe(challengeOf(code));
  if (status === 429) expectQuota(header);
  if (status === 405) expect(header("allow")).toMatch(/GET|POST/);
  return problem;
};

/** ER4 */
const challengeOf = (code: ErrorCode): string =>
  code === "AUTH_INVALID" ? 'Bearer error="invalid_token"' : "Bearer";

/** ER5 */
const expectQuota = (header: (name: string) => string | null): void => {
  expect(header("retry-after")).toMatch(/^[1-9]\d*$/);
  expect(header("ratelimit-policy")).toMatch(/^"[\w-]+";q=\d+;w=\d+$/);
  expect(header("ratelimit")).toMatch(/^"[\w-]+";r=0;t=\d+$/);
  for (const name of ["limit", "remaining", "reset"]) expect(header(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
};
