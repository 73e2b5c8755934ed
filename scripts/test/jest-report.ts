import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";

/** The result of one test file. */
export interface FileReport {
  /** Relative to the repository. */
  readonly name: string;
  readonly seconds: number;
  readonly passedTitles: readonly string[];
  readonly skippedTitles: readonly string[];
  /** One line for each failed test; a file that could not be loaded has no tests to count, so it counts as one. */
  readonly problems: readonly string[];
}

/** The used fields of Jest's `TestResult`. */
export interface JestResult {
  readonly testFilePath: string;
  readonly failureMessage?: string | null;
  readonly console?: readonly { readonly type: string; readonly message: string }[];
  readonly perfStats: { readonly start: number; readonly end: number };
  readonly testResults: readonly {
    readonly title: string;
    readonly fullName: string;
    readonly status: string;
  }[];
}

export function reportOf(result: JestResult): FileReport {
  const name = path.relative(".", result.testFilePath);
  const having = (wanted: (status: string) => boolean) =>
    result.testResults.filter((test) => wanted(test.status));
  const failed = having((it) => it === "failed").map(({ fullName }) => fullName);
  const isBroken = (result.failureMessage ?? "") !== "" && failed.length === 0;
  return {
    name,
    seconds: Math.max(0, result.perfStats.end - result.perfStats.start) / 1_000,
    passedTitles: having((it) => it === "passed").map(({ title }) => title),
    skippedTitles: having((it) => it !== "passed" && it !== "failed").map(({ fullName }) => fullName),
    problems: isBroken ? [`${name} could not be run`] : failed.map((title) => `${name}: ${title}`),
  };
}

/** Reads and removes the reports that `reporter.ts` wrote. */
export function takeReports(file: string): readonly FileReport[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  rmSync(file);
  return lines.map((line) => JSON.parse(line) as FileReport);
}
