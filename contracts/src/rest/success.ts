import type { z } from "zod";

/** The success answers of routes. */
export const ok = <Schema extends z.ZodType>(description: string, schema: Schema) =>
  ({ status: 200, description, schema }) as const;

export const created = <Schema extends z.ZodType>(description: string, schema: Schema) =>
  ({ status: 201, description, schema }) as const;

export const noContent = (description: string) => ({ status: 204, description }) as const;
