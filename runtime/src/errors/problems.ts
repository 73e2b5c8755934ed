import { ProblemError } from "@hearth/contracts";
import type { InputIssue } from "@hearth/contracts";
import type { z } from "zod";
import type { Log } from "../log/log.ts";

const MAX_ISSUES = 20;
const MAX_PATH = 128;

function issuesOf(issue: z.core.$ZodIssue): readonly InputIssue[] {
  const path = issue.path.map(String);
  if (issue.code !== "unrecognized_keys") return [{ path: path.join("."), message: issue.message }];
  return issue.keys.map((key) => ({ path: [...path, key].join("."), message: "Unknown field" }));
}

/** What a schema refused, as it is told to a client (rule ER1): where and why, never the value. */
export const inputIssues = (error: z.ZodError): readonly InputIssue[] =>
  error.issues
    .flatMap(issuesOf)
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => ({ path: path.slice(0, MAX_PATH), message }));

/** The `INVALID_REQUEST` that a schema's refusal becomes. */
export const invalidRequest = (error: z.ZodError): ProblemError =>
  new ProblemError("INVALID_REQUEST", undefined, { errors: inputIssues(error) });

/**
 * What a thrown value means to whoever asked. Whatever is not a `ProblemError` is logged with its stack and
 * answered as `INTERNAL` with none of its text (rule ER1).
 */
export function problemOf(error: unknown, log: Log, fields: Record<string, unknown> = {}): ProblemError {
  if (error instanceof ProblemError) return error;
  log.error({ ...fields, err: error }, "unexpected error");
  return new ProblemError("INTERNAL");
}
