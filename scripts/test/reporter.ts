import { appendFileSync } from "node:fs";
import { reportOf } from "./jest-report.ts";
import type { JestResult } from "./jest-report.ts";

/**
 * Prints one line per finished test file, and the details of a failed one. The tests' own output goes to standard
 * error, which the runner writes to a file. Each report is appended to a file at once, so that an aborted run keeps
 * its reports.
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

  /** Required by Jest. */
  getLastError(): undefined {
    return undefined;
  }
}

interface ProjectConfig {
  readonly displayName?: { readonly name: string };
}

export { TerseReporter as "module.exports" };
