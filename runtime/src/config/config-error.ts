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

/** Collects the problems of several readers, so that one {@link ConfigError} names them all. */
export class ConfigProblems {
  readonly #problems: ConfigProblem[] = [];

  add(problem: ConfigProblem): void {
    this.#problems.push(problem);
  }

  /** The result of `read`, or `undefined` when it throws a {@link ConfigError}, whose problems are kept. */
  attempt<Value>(read: () => Value): Value | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      this.#problems.push(...error.problems);
      return undefined;
    }
  }

  errorFor(service: string): ConfigError {
    return new ConfigError(service, this.#problems);
  }

  get any(): boolean {
    return this.#problems.length > 0;
  }
}
