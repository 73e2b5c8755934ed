import { ProblemError } from "@hearth/contracts";
import type { InputIssue } from "@hearth/contracts";
import { problemOf } from "@hearth/runtime";
import type { Log } from "@hearth/runtime";
import { ValidateError } from "@tsoa/runtime";
import { AuthenticationFailure } from "./authentication.ts";

const MAX_ISSUES = 20;

/** tsoa names a member of the body `body.username`; to a client the body is the whole input. */
const pathOf = (field: string): string => (field === "body" ? "" : field.replace(/^body\./, ""));

const UNION = /^Could not match the union against any of the items\. Issues: (\[.*\])$/s;

/** Of a choice of words tsoa tells in JSON what it tried, the refused value included. */
function sentenceOf(message: string): string {
  const [, tried] = UNION.exec(message) ?? [];
  if (tried === undefined) return message;
  const issues = JSON.parse(tried) as readonly Record<string, { readonly message: string }>[];
  const words = issues
    .flatMap(Object.values<{ readonly message: string }>)
    .map((issue) => /\['(.*)'\]$/.exec(issue.message)?.[1]);
  return `must be ${words.join(" or ")}`;
}

/** The values that tsoa keeps beside its messages stay here. */
function issuesOf({ fields }: ValidateError): readonly InputIssue[] {
  return Object.entries(fields)
    .slice(0, MAX_ISSUES)
    .map(([field, { message }]) => ({ path: pathOf(field), message: sentenceOf(message) }));
}

/** What express itself refuses, such as `%E0%A4%A` in a path, carries a status of 400. */
const isBadUrl = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "status" in error && error.status === 400;

/** What anything that was thrown on the way means to whoever asked (rule ER1). */
export function problemFrom(error: unknown, log: Log): ProblemError {
  if (error instanceof AuthenticationFailure) return problemOf(error.cause, log);
  if (error instanceof ProblemError) return error;
  if (error instanceof ValidateError) {
    return new ProblemError("INVALID_REQUEST", undefined, { errors: issuesOf(error) });
  }
  if (isBadUrl(error)) return new ProblemError("INVALID_REQUEST", "The URL is malformed");
  return problemOf(error, log);
}
