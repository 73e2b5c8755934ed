import { execFileSync } from "node:child_process";
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

export const checks = ["format", "lint", "types", "build"] as const;
export const suites = ["unit", "e2e", "cluster", "faults", "long"] as const;
/** Run when they are asked for by name alone. */
export const onRequest: readonly string[] = ["cluster", "faults", "long"];
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

const minutes: Record<Suite, number> = { unit: 20, e2e: 25, cluster: 25, faults: 60, long: 120 };

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
  const jest = ["--selectProjects", name, "--json", "--outputFile", reportFile(name), ...patterns];
  if (name !== "unit") jest.push("--runInBand");
  if (patterns.length > 0) jest.push("--passWithNoTests");
  const flags = ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning"];
  const succeeded = await runTool(
    "node",
    [...flags, "node_modules/jest/bin/jest.js", ...jest],
    minutes[name],
    environmentOf[name],
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
