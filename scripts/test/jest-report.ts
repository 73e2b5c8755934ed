import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

interface JestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly fullName: string;
      readonly status: string;
    }[];
  }[];
}

/** What came of one test file. */
export interface FileReport {
  readonly name: string;
  readonly passedTitles: readonly string[];
  readonly skippedTitles: readonly string[];
  /** One line for each failed test; a file that could not be loaded has no tests to count, so it counts as one. */
  readonly problems: readonly string[];
}

export const reportFile = (project: string): string =>
  path.join(tmpdir(), `hearth-test-${process.pid}-${project}.json`);

/** The report of a finished run, which is then forgotten; `undefined` where jest left none. */
export function readReport(project: string): readonly FileReport[] | undefined {
  if (!existsSync(reportFile(project))) return undefined;
  const report = JSON.parse(readFileSync(reportFile(project), "utf8")) as JestReport;
  rmSync(reportFile(project));
  return report.testResults.map(({ name, status, assertionResults }) => {
    const having = (wanted: (status: string) => boolean) =>
      assertionResults.filter((test) => wanted(test.status));
    const failed = having((it) => it === "failed").map(({ fullName }) => fullName);
    const isBroken = status === "failed" && failed.length === 0;
    return {
      name,
      passedTitles: having((it) => it === "passed").map(({ title }) => title),
      skippedTitles: having((it) => it !== "passed" && it !== "failed").map(({ fullName }) => fullName),
      problems: isBroken ? [`${path.relative(".", name)} could not be run`] : failed,
    };
  });
}

export const failedFiles = (report: readonly FileReport[]): readonly string[] =>
  report.filter(({ problems }) => problems.length > 0).map(({ name }) => name);

/** The later report of those files that have one. */
export function replaced(report: readonly FileReport[], later: readonly FileReport[]): readonly FileReport[] {
  const again = new Map(later.map((file) => [file.name, file]));
  return report.map((file) => again.get(file.name) ?? file);
}
