import { appendFileSync } from "node:fs";
import { reportOf } from "./jest-report.ts";
import type { JestResult } from "./jest-report.ts";

/**
 * Says one line for each finished test file, and all that is known of a failed one. What tests print goes to standard
 * error, which the runner sends to a file; so does each report, line by line: those of a run that is cut off are not lost.
 */
class TerseReporter {
  private readonly file = process.env["HEARTH_TEST_REPORT"] ?? "/dev/null";
  private files = 0;
  private done = 0;

  onRunStart({ numTotalTestSuites }: { readonly numTotalTestSuites: number }): void {
    this.files = numTotalTestSuites;
  }

  onTestResult(test: { readonly context: { readonly config: ProjectConfig } }, result: JestResult): void {
    const report = reportOf(result);
    appendFileSync(this.file, `${JSON.stringify(report)}\n`);
    this.done += 1;
    const { displayName } = test.context.config;
    const verdict = report.problems.length > 0 ? `  FAILED ${report.problems.length}` : "";
    const seconds = report.seconds.toFixed(1).padStart(6);
    const line = `${displayName?.name ?? ""} ${this.done}/${this.files} ${seconds} s  ${report.name}${verdict}\n`;
    process.stdout.write(line);
    process.stderr.write(line);
    for (const { type, message } of result.console ?? []) process.stderr.write(`${type}: ${message}\n`);
    if (report.problems.length === 0) return;
    process.stdout.write(`${result.failureMessage ?? ""}\n`);
    process.stderr.write(`${result.failureMessage ?? ""}\n`);
  }

  /** Jest asks each reporter for one. */
  getLastError(): undefined {
    return undefined;
  }
}

interface ProjectConfig {
  readonly displayName?: { readonly name: string };
}

export { TerseReporter as "module.exports" };
