import { ERRORS } from "@hearth/contracts";
import type { ErrorCode, Problem } from "@hearth/contracts";
import { z } from "zod";

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** The schema of ER1. An error may have further members, such as `reason`. */
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
