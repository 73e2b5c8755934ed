import { ProblemError } from "@hearth/contracts";
import type { InputIssue } from "@hearth/contracts";
import { problemOf } from "@hearth/runtime";
import type { Log } from "@hearth/runtime";
import { ValidateError } from "@tsoa/runtime";
import { AuthenticationFailure } from "./authentication.ts";

const MAX_ISSUES = 20;

/** tsoa calls a member of the body `body.username`; for the client the body is the whole input. */
const pathOf = (field: string): string => (field === "body" ? "" : field.replace(/^body\./, ""));

const UNION = /^Could not match the union against any of the items\. Issues: (\[.*\])$/s;

/** For enums tsoa's message contains the refused value, so it is replaced. */
function sentenceOf(message: string): string {
  const [, tried] = UNION.exec(message) ?? [];
  if (tried === undefined) return message;
  const issues = JSON.parse(tried) as readonly Record<string, { readonly message: string }>[];
  const words = issues
    .flatMap(Object.values<{ readonly message: string }>)
    .map((issue) => /\['(.*)'\]$/.exec(issue.message)?.[1]);
  return `must be ${words.join(" or ")}`;
}

/** Values in tsoa's errors are not passed on. */
function issuesOf({ fields }: ValidateError): readonly InputIssue[] {
  return Object.entries(fields)
    .slice(0, MAX_ISSUES)
    .map(([field, { message }]) => ({ path: pathOf(field), message: sentenceOf(message) }));
}

/** Express's own refusals, such as `%E0%A4%A` in a path, have the status 400. */
const isBadUrl = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "status" in error && error.status === 400;

/** Converts any thrown value into a problem for the client (rule ER1). */
export function problemFrom(error: unknown, log: Log): ProblemError {
  if (error instanceof AuthenticationFailure) return problemOf(error.cause, log);
  if (error instanceof ProblemError) return error;
  if (error instanceof ValidateError) {
    return new ProblemError("INVALID_REQUEST", undefined, { errors: issuesOf(error) });
  }
  if (isBadUrl(error)) return new ProblemError("INVALID_REQUEST", "The URL is malformed");
  return problemOf(error, log);
}
