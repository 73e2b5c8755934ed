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

/** The issues of a schema for a client (rule ER1): where and why, never the value. */
export const inputIssues = (error: z.ZodError): readonly InputIssue[] =>
  error.issues
    .flatMap(issuesOf)
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => ({ path: path.slice(0, MAX_PATH), message }));

/** The `INVALID_REQUEST` for input that a schema refused. */
export const invalidRequest = (error: z.ZodError): ProblemError =>
  new ProblemError("INVALID_REQUEST", undefined, { errors: inputIssues(error) });

/**
 * The problem to answer with for a thrown value. Anything but a `ProblemError` is logged with its stack and becomes
 * `INTERNAL` without its text (rule ER1).
 */
export function problemOf(error: unknown, log: Log, fields: Record<string, unknown> = {}): ProblemError {
  if (error instanceof ProblemError) return error;
  log.error({ ...fields, err: error }, "unexpected error");
  return new ProblemError("INTERNAL");
}
