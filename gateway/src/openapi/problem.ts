import { ERRORS } from "@hearth/contracts";
import type { ErrorCode, Problem } from "@hearth/contracts";
import { z } from "zod";

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** ER1 as a schema; further members, such as `reason`, may accompany an error. */
export const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string(),
  code: z.enum(codes),
  requestId: z.string(),
  reason: z.string().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
}) satisfies z.ZodType<Omit<Problem, "reason" | "errors">>;
