import { readFileSync } from "node:fs";
import { errorCode } from "../errors/error-code.ts";
import { ConfigError } from "./config-error.ts";
import type { ConfigProblem } from "./config-error.ts";
import type { Environment } from "./read-config.ts";

const SUFFIX = "_FILE";

/**
 * The environment, with `X` read from the file that `X_FILE` names, for each of these variables: containers get secrets as
 * files. Throws a {@link ConfigError} with every file that cannot be read and every variable that is set in both ways.
 */
export function withSecretFiles(
  env: Environment,
  names: readonly string[],
  { service }: { readonly service: string },
): Environment {
  const problems: ConfigProblem[] = [];
  const read: Record<string, string> = {};
  for (const name of names) {
    const file = env[name + SUFFIX];
    if (file === undefined) continue;
    if (env[name] !== undefined)
      problems.push({ variable: name, problem: `is given twice: also by ${name}${SUFFIX}` });
    try {
      read[name] = readFileSync(file, "utf8").trim();
    } catch (error) {
      const problem = `names a file that cannot be read (${errorCode(error) ?? "unknown error"})`;
      problems.push({ variable: name + SUFFIX, problem });
    }
  }
  if (problems.length > 0) throw new ConfigError(service, problems);
  return { ...env, ...read };
}
