import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { takeReports } from "./jest-report.ts";
import type { FileReport } from "./jest-report.ts";
import { runTool } from "./process.ts";

export interface Outcome {
  readonly failed: number;
  /** One line each: why the stage failed, if not because of a test. */
  readonly problems?: readonly string[];
  readonly skippedTitles?: readonly string[];
  /** What did not run, and why. */
  readonly notes?: readonly string[];
  readonly files?: readonly FileReport[];
}

export const checks = ["build", "format", "types", "lint"] as const;
/** `smoke` and `rest` together are `e2e`; `one-of-each` is a part of `faults`. */
export const suites = [
  "unit",
  "smoke",
  "e2e",
  "rest",
  "cluster",
  "containers",
  "one-of-each",
  "faults",
  "long",
] as const;
export type Check = (typeof checks)[number];
export type Suite = (typeof suites)[number];

const logs = path.resolve("node_modules/.cache/hearth-test");
mkdirSync(logs, { recursive: true });
export const logOf = (stage: string): string => path.relative(".", path.join(logs, `${stage}.log`));

const scriptOf: Record<Check, string> = {
  format: "format:check",
  lint: "lint",
  types: "types",
  build: "desktop:build",
};

export async function check(name: Check): Promise<Outcome> {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const log = logOf(name);
  rmSync(log, { force: true });
  for (const command of scripts[scriptOf[name]]?.split(" && ") ?? []) {
    const [tool = "", ...args] = command.split(" ");
    if (await runTool(tool, args, { minutes: CHECK_MINUTES, log })) continue;
    printEndOf(log);
    return {
      failed: 1,
      problems: [`npm run ${scriptOf[name]} failed, or took more than ${CHECK_MINUTES} min: ${log}`],
    };
  }
  if (name === "build") process.env["HEARTH_BUILT_CLIENT"] = path.resolve("desktop/dist");
  return { failed: 0 };
}

const CHECK_MINUTES = 15;
const MAX_LINES = 60;
const printEndOf = (log: string): void =>
  console.log(readFileSync(log, "utf8").trimEnd().split("\n").slice(-MAX_LINES).join("\n"));

interface SuiteOptions {
  /** The project of `jest.config.mjs`, if its name differs. */
  readonly project?: string;
  readonly minutes: number;
  /** Test files in parallel: as many as cores, up to this number. */
  readonly workers?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Only the tests whose names this matches. */
  readonly only?: string;
}

/** Makes the server of the `e2e` suites a cluster of two processes of every service. */
const asCluster = { HEARTH_E2E_MODE: "cluster" };
/** A kill, a stop and a freeze of a service and of each dependency, and a rolling restart. */
const ONE_OF_EACH = "F1 kill|F6 NATS is stopped|F7 kill|F8 kill|F12 F15|F13 presence";

const optionsOf: Record<Suite, SuiteOptions> = {
  unit: { minutes: 15, workers: 16 },
  smoke: { minutes: 6, workers: 4 },
  e2e: { minutes: 40, workers: 4 },
  rest: { minutes: 35, workers: 4 },
  cluster: { minutes: 25, workers: 2, env: asCluster },
  containers: { minutes: 20 },
  "one-of-each": { minutes: 10, env: asCluster, project: "faults", only: ONE_OF_EACH },
  faults: { minutes: 60, env: asCluster },
  long: { minutes: 120 },
};

/** Programs that a suite needs and this machine lacks. */
function missingFor(name: Suite): string {
  if (optionsOf[name].env !== asCluster) return "";
  const output = execFileSync(process.execPath, ["e2e/entries/missing-servers.ts"], { encoding: "utf8" });
  return output.split("\n").filter(Boolean).join(", ");
}

export async function suite(name: Suite, patterns: readonly string[]): Promise<Outcome> {
  const missing = missingFor(name);
  if (missing !== "" && process.env["HEARTH_SERVERS"] === "demanded")
    return { failed: 1, problems: [`this machine has no ${missing}, and HEARTH_SERVERS demands them`] };
  if (missing !== "") return { failed: 0, skippedTitles: [`all of ${name} (needs ${missing})`] };
  const built = name === "unit" || process.env["HEARTH_BUILT_CLIENT"] !== undefined;
  const build = built ? undefined : await check("build");
  return build?.failed ? build : runJest(name, optionsOf[name], patterns);
}

async function runJest(name: Suite, options: SuiteOptions, patterns: readonly string[]): Promise<Outcome> {
  const { project = name, minutes, workers = 1, env = {}, only } = options;
  const [log, report] = [logOf(name), path.join(logs, `${name}.reports`)];
  for (const file of [log, report]) rmSync(file, { force: true });
  const atOnce = Math.min(workers, Math.max(2, availableParallelism()));
  const command = [
    ...[
      "--experimental-vm-modules",
      "--disable-warning=ExperimentalWarning",
      "node_modules/jest/bin/jest.js",
    ],
    ...[
      "--selectProjects",
      project,
      `--reporters=${path.resolve("scripts/test/reporter.ts")}`,
      "--verbose=false",
    ],
    workers === 1 ? "--runInBand" : `--maxWorkers=${atOnce}`,
    ...(only === undefined ? [] : [`--testNamePattern=${only}`]),
    ...(patterns.length === 0 ? [] : ["--passWithNoTests", ...patterns]),
  ];
  const own = { ...env, HEARTH_TEST_REPORT: report };
  const succeeded = await runTool("node", command, { minutes, log, env: own, speaks: true });
  const files = takeReports(report);
  const problems = files.flatMap((file) => file.problems);
  // Jest may fail without a failed file, for example at its time limit.
  if (!succeeded && problems.length === 0) {
    printEndOf(log);
    problems.push(`jest failed ${name}, or took more than ${minutes} min: ${log}`);
  }
  const skipped = files.flatMap(({ skippedTitles }) => skippedTitles);
  // Jest reports tests that the pattern excludes as skipped.
  const skippedTitles = skipped.filter((title) => new RegExp(only ?? "").test(title));
  return { failed: problems.length, problems, skippedTitles, files };
}
