import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { failedFiles, readReport, replaced, reportFile } from "./jest-report.ts";
import type { FileReport } from "./jest-report.ts";
import { runTool } from "./process.ts";
import { uncoveredRules } from "./rule-coverage.ts";

export interface Outcome {
  readonly passed?: number;
  readonly failed: number;
  /** One line each; why the stage failed, where its own output does not say it. */
  readonly problems?: readonly string[];
  readonly passedTitles?: readonly string[];
  readonly skippedTitles?: readonly string[];
  /** Tests that failed at first and passed when their file was run once more by itself. */
  readonly unsteady?: readonly string[];
}

export const checks = ["format", "lint", "types", "build"] as const;
export const suites = ["unit", "e2e", "cluster", "containers", "faults", "long"] as const;
/** Run when they are asked for by name alone. */
export const onRequest = ["cluster", "faults", "long"] as const;
type Check = (typeof checks)[number];
type Suite = (typeof suites)[number];

const scriptOf: Record<Check, string> = {
  format: "format:check",
  lint: "lint",
  types: "types",
  build: "desktop:build",
};

export async function check(name: Check): Promise<Outcome> {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  for (const command of scripts[scriptOf[name]]?.split(" && ") ?? []) {
    const [tool = "", ...args] = command.split(" ");
    if (!(await runTool(tool, args, 10)))
      return { failed: 1, problems: [`npm run ${scriptOf[name]} failed`] };
  }
  return { failed: 0 };
}

const minutes: Record<Suite, number> = {
  unit: 30,
  e2e: 40,
  cluster: 25,
  containers: 20,
  faults: 60,
  long: 120,
};

/** The suites of `e2e` know no difference: this makes their server two processes of everything. */
const environmentOf: Partial<Record<Suite, Record<string, string>>> = {
  cluster: { HEARTH_E2E_MODE: "cluster" },
  faults: { HEARTH_E2E_MODE: "cluster" },
};

/** Programs that a suite needs and this machine does not have. */
function missingFor(name: Suite): readonly string[] {
  if (name !== "cluster" && name !== "faults") return [];
  const output = execFileSync(process.execPath, ["e2e/entries/missing-servers.ts"], { encoding: "utf8" });
  return output.split("\n").filter(Boolean);
}

export async function suite(name: Suite, patterns: readonly string[]): Promise<Outcome> {
  const missing = missingFor(name).join(", ");
  if (missing !== "" && process.env["HEARTH_SERVERS"] === "demanded")
    return { failed: 1, problems: [`this machine has no ${missing}, and HEARTH_SERVERS demands them`] };
  if (missing !== "")
    return { failed: 0, skippedTitles: [`the end-to-end suites on a cluster, which need ${missing}`] };
  const first = await runJest(name, patterns);
  if (first === undefined) return { failed: 1, problems: [`jest ended without a report of ${name}`] };
  const failed = failedFiles(first);
  if (failed.length === 0 || failed.length > MAX_AGAIN) return outcomeOf(first);
  console.log(`\n== ${name}: ${failed.length} of the test files failed; once more, by themselves`);
  const again = replaced(first, (await runJest(name, ["--runTestsByPath", "--runInBand", ...failed])) ?? []);
  const problems = new Set(again.flatMap((file) => file.problems));
  const unsteady = first.flatMap((file) => file.problems).filter((problem) => !problems.has(problem));
  return { ...outcomeOf(again), unsteady };
}

/**
 * So many failed files are run once more. On a machine that others use as well a test may wait in vain for its turn; what
 * is wrong with the code fails twice. Whatever passed only then is named at the end of the run.
 */
const MAX_AGAIN = 6;

const outcomeOf = (report: readonly FileReport[]): Outcome => ({
  passed: report.reduce((sum, { passedTitles }) => sum + passedTitles.length, 0),
  failed: report.reduce((sum, { problems }) => sum + problems.length, 0),
  problems: report.flatMap(({ problems }) => problems),
  passedTitles: report.flatMap(({ passedTitles }) => passedTitles),
  skippedTitles: report.flatMap(({ skippedTitles }) => skippedTitles),
});

/** Jest fails for reasons that no file has as well, such as a worker that crashed. */
async function runJest(name: Suite, args: readonly string[]): Promise<readonly FileReport[] | undefined> {
  const jest = ["--selectProjects", name, "--json", "--outputFile", reportFile(name), ...args];
  if (name !== "unit") jest.push("--runInBand");
  if (args.length > 0) jest.push("--passWithNoTests");
  const flags = ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning"];
  const command = [...flags, "node_modules/jest/bin/jest.js", ...jest];
  const succeeded = await runTool("node", command, minutes[name], environmentOf[name]);
  const report = readReport(name);
  if (succeeded || report === undefined || failedFiles(report).length > 0) return report;
  const problems = [`jest failed ${name}, though no test did`];
  return [...report, { name: "jest", passedTitles: [], skippedTitles: [], problems }];
}

export async function ruleCoverage(passedTitles: readonly string[]): Promise<Outcome> {
  const { RULES } = await import("@hearth/contracts");
  const uncovered = uncoveredRules(RULES, passedTitles);
  if (uncovered.length === 0) return { failed: 0 };
  const problem = `no passed test has a title that starts with ${uncovered.join(", ")}`;
  return { failed: uncovered.length, problems: [problem] };
}
