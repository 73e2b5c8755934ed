import { ERRORS, isErrorCode, retryAfterMs } from "@hearth/contracts";
import type { AuthInvalidReason, ErrorCode, InputIssue } from "@hearth/contracts";
import { ClientProblem } from "@hearth/device";

const REASONS: readonly string[] = [
  "unknown",
  "expired",
  "revoked",
  "mismatch",
] satisfies AuthInvalidReason[];
const MAX_SENTENCE = 300;
const MAX_ISSUES = 50;

type Member = Readonly<Record<string, unknown>>;

const isMember = (value: unknown): value is Member => typeof value === "object" && value !== null;

const sentenceOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value.slice(0, MAX_SENTENCE) : undefined;

function issuesOf(value: unknown): readonly InputIssue[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_ISSUES).flatMap((entry: unknown) => {
    if (!isMember(entry)) return [];
    const message = sentenceOf(entry["message"]);
    return message === undefined ? [] : [{ path: sentenceOf(entry["path"]) ?? "", message }];
  });
}

function reasonOf(code: ErrorCode, value: unknown): AuthInvalidReason | "missing" | null {
  if (code === "AUTH_REQUIRED") return "missing";
  if (code !== "AUTH_INVALID") return null;
  return typeof value === "string" && REASONS.includes(value) ? (value as AuthInvalidReason) : "unknown";
}

const REFUSAL = /^[a-z_]{1,40}$/;

const refusalOf = (status: number, value: unknown): string | null =>
  status === 403 && typeof value === "string" && REFUSAL.test(value) ? value : null;

/** The code for a bare status, such as a proxy's page: never an authentication failure. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  413: "PAYLOAD_TOO_LARGE",
  429: "RATE_LIMITED",
  502: "UPSTREAM_UNREACHABLE",
  503: "UNAVAILABLE",
  504: "TIMEOUT",
};

const codeOf = (status: number, claimed: unknown): ErrorCode | undefined => {
  if (isErrorCode(claimed) && ERRORS[claimed].status === status) return claimed;
  return CODE_OF_STATUS[status] ?? (status >= 500 ? "INTERNAL" : undefined);
};

/** The problem in a response outside of 200 to 299 (rules ER1, ER3, ER5). */
export function problemOf(response: Response, body: unknown, now: number): ClientProblem {
  const answer = isMember(body) ? body : {};
  const requestId = sentenceOf(answer["requestId"]) ?? null;
  const code = codeOf(response.status, answer["code"]);
  if (code === undefined) {
    const message = `The answer with status ${response.status} is none of this product`;
    return new ClientProblem("BAD_ANSWER", { message, requestId });
  }
  const header = response.headers.get("retry-after");
  return new ClientProblem(code, {
    message: sentenceOf(answer["detail"]) ?? ERRORS[code].title,
    retryable: ERRORS[code].retryable,
    retryAfterMs: header === null ? null : retryAfterMs(header, now),
    issues: issuesOf(answer["errors"]),
    reason: reasonOf(code, answer["reason"]),
    refusal: refusalOf(response.status, answer["reason"]),
    requestId,
  });
}
