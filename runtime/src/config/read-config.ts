import type { z } from "zod";
import { ConfigError } from "./config-error.ts";
import type { ConfigProblem } from "./config-error.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

function describeIssue(issue: z.core.$ZodIssue, env: Environment): ConfigProblem {
  const variable = String(issue.path[0] ?? "the configuration");
  const missing = issue.path.length === 1 && env[variable] === undefined;
  return { variable, problem: missing ? "is missing" : issue.message };
}

/**
 * Reads a service's variables. Throws a {@link ConfigError} that names every bad one. `schema` is an object of
 * {@link variables} by name; other variables are ignored.
 */
export function readConfig<Config>(
  schema: z.ZodType<Config>,
  env: Environment,
  { service }: { readonly service: string },
): Config {
  const result = schema.safeParse(env);
  if (result.success) return result.data;
  throw new ConfigError(
    service,
    result.error.issues.map((issue) => describeIssue(issue, env)),
  );
}
