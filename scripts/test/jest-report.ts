import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
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

export const reportFile = (project: string): string =>
  path.join(tmpdir(), `hearth-test-${process.pid}-${project}.json`);

/** A test file that could not be loaded has no tests to count, so it counts as one failed. */
export function readReport(project: string) {
  if (!existsSync(reportFile(project))) return undefined;
  const report = JSON.parse(readFileSync(reportFile(project), "utf8")) as JestReport;
  rmSync(reportFile(project));
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const unloaded = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.length,
  );
  const failed = tests.filter(({ status }) => status === "failed").map(({ fullName }) => fullName);
  const skipped = tests.filter(({ status }) => status !== "passed" && status !== "failed");
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    problems: [...failed, ...unloaded.map(({ name }) => `${path.relative(".", name)} could not be loaded`)],
    passedTitles: tests.filter(({ status }) => status === "passed").map(({ title }) => title),
    skippedTitles: skipped.map(({ fullName }) => fullName),
  };
}
