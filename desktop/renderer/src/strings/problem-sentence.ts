import { ClientProblem } from "@hearth/device";
import { strings } from "./strings.ts";

/** What to tell people about something that failed. */
export function problemSentence(error: unknown): string {
  const { problems } = strings;
  if (!(error instanceof ClientProblem)) return problems.unknown;
  const { code, retryAfterMs, refusal } = error;
  if (code === "QUOTA_EXCEEDED") return problems.quotas[refusal ?? ""] ?? problems[code];
  if (code === "REGISTRATION_CLOSED") return problems.registration[refusal ?? ""] ?? problems[code];
  const isLimit = code === "RATE_LIMITED" || code === "UPSTREAM_RATE_LIMITED";
  if (isLimit && retryAfterMs !== null)
    return problems.waitSeconds(Math.max(1, Math.ceil(retryAfterMs / 1000)));
  return problems[code];
}
