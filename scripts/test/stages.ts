import { readFileSync } from "node:fs";
import { readReport, reportFile } from "./jest-report.ts";
import { runTool } from "./process.ts";
import { uncoveredRules } from "./rule-coverage.ts";

export interface Outcome {
  readonly passed?: number;
  readonly failed: number;
  /** One line each; why the stage failed, where its own output does not say it. */
  readonly problems?: readonly string[];
  readonly passedTitles?: readonly string[];
  readonly skippedTitles?: readonly string[];
}

export const checks = ["format", "lint", "types"] as const;
export const suites = ["unit", "e2e", "long"] as const;
type Check = (typeof checks)[number];
type Suite = (typeof suites)[number];

const scriptOf: Record<Check, string> = { format: "format:check", lint: "lint", types: "types" };

export async function check(name: Check): Promise<Outcome> {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const [tool = "", ...args] = scripts[scriptOf[name]]?.split(" ") ?? [];
  const succeeded = await runTool(tool, args, 10);
  return succeeded ? { failed: 0 } : { failed: 1, problems: [`npm run ${scriptOf[name]} failed`] };
}

const minutes: Record<Suite, number> = { unit: 10, e2e: 10, long: 120 };

export async function suite(name: Suite, patterns: readonly string[]): Promise<Outcome> {
  const jest = ["--selectProjects", name, "--json", "--outputFile", reportFile(name), ...patterns];
  if (name !== "unit") jest.push("--runInBand");
  if (patterns.length > 0) jest.push("--passWithNoTests");
  const flags = ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning"];
  const succeeded = await runTool(
    "node",
    [...flags, "node_modules/jest/bin/jest.js", ...jest],
    minutes[name],
  );
  const report = readReport(name);
  if (!report) return { failed: 1, problems: [`jest ended without a report of ${name}`] };
  if (succeeded || report.failed > 0) return report;
  return { ...report, failed: 1, problems: [`jest failed ${name}, though no test did`] };
}

export async function ruleCoverage(passedTitles: readonly string[]): Promise<Outcome> {
  const { RULES } = await import("@hearth/contracts");
  const uncovered = uncoveredRules(RULES, passedTitles);
  if (uncovered.length === 0) return { failed: 0 };
  const problem = `no passed test has a title that starts with ${uncovered.join(", ")}`;
  return { failed: uncovered.length, problems: [problem] };
}
