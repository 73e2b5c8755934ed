import { StartError } from "../errors/start-error.ts";

/** One variable that cannot be used: its name and what is wrong with it, never its value. */
export interface ConfigProblem {
  readonly variable: string;
  readonly problem: string;
}

/** All problems of a configuration at once. */
export class ConfigError extends StartError {
  readonly problems: readonly ConfigProblem[];

  constructor(service: string, problems: readonly ConfigProblem[]) {
    const lines = problems.map(({ variable, problem }) => `  ${variable} ${problem}`);
    super(`${service} cannot start with this configuration:\n${lines.join("\n")}`);
    this.name = "ConfigError";
    this.problems = problems;
  }
}
