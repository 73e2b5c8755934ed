import { parseArgs } from "node:util";
import { containers } from "./containers.ts";
import { keepTimes, lastTimes } from "./history.ts";
import { isOptional, reasons } from "./not-run.ts";
import { ruleCoverage } from "./rule-coverage.ts";
import { check, checks, suite, suites } from "./stages.ts";
import type { Check, Outcome, Suite } from "./stages.ts";
import { Summary } from "./summary.ts";

/** The suites after the checks, the unit tests and the smoke suite. */
const TIERS: Readonly<Record<string, readonly Suite[]>> = {
  test: [],
  all: ["rest"],
  ci: ["rest", "cluster", "containers", "one-of-each"],
};

const { values, positionals: patterns } = parseArgs({
  options: {
    installed: { type: "string", default: "0.0" },
    /** The tier: `test`, `all` or `ci`. */
    tier: { type: "string", default: "test" },
    /** One check or one suite. */
    only: { type: "string" },
    /** Counts every skipped test as failed, for machines that have everything. */
    "nothing-skipped": { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const { only, tier, "nothing-skipped": nothingSkipped } = values;
const further = TIERS[tier];
const isCheck = (name: string): name is Check => checks.some((known) => known === name);
const isSuite = (name: string): name is Suite => suites.some((known) => known === name);
if (further === undefined || (only !== undefined && !isCheck(only) && !isSuite(only))) {
  console.error(`--tier takes one of: ${Object.keys(TIERS).join(", ")}`);
  console.error(`--only takes one of: ${[...checks, ...suites].join(", ")}`);
  process.exit(2);
}

const summary = new Summary(Number(values.installed));

async function stage(name: string, run: () => Promise<Outcome>): Promise<void> {
  const started = performance.now();
  const outcome = await run().catch((error: unknown) => ({ failed: 1, problems: [String(error)] }));
  summary.add(name, (performance.now() - started) / 1_000, outcome);
}

const inTurn = async (names: readonly (Check | Suite)[]): Promise<void> => {
  for (const name of names) {
    if (isCheck(name)) await stage(name, () => check(name));
    else if (name === "containers") await stage(name, () => containers(patterns));
    else await stage(name, () => suite(name, patterns));
  }
};

async function complete(after: readonly Suite[]): Promise<void> {
  await Promise.all([inTurn(checks), inTurn(["unit"])]);
  await inTurn(["smoke"]);
  // After an early failure the long suites do not run.
  if (summary.failed === 0) await inTurn(after);
  else if (after.length > 0)
    summary.add("further", 0, {
      failed: 0,
      notes: [`${after.join(", ")}: skipped after failures in earlier stages`],
    });
  await stage("rules", () => ruleCoverage(summary.passedTitles, summary.failed === 0 && after.length > 0));
}

if (only !== undefined && (isCheck(only) || isSuite(only))) await inTurn([only]);
else if (patterns.length > 0) await inTurn(["unit", "e2e"]);
else await complete(further);

/** Titles of optional tests say so. */
const missed = summary.skippedTitles.filter((title) => !isOptional(title));
if (nothingSkipped && missed.length > 0)
  summary.add("skipped", 0, { failed: missed.length, problems: [...reasons(missed)] });
const tested = only === undefined || isSuite(only);
if (tested && summary.passedTitles.length + summary.failed === 0)
  summary.add("tests", 0, { failed: 1, problems: ["no test ran"] });

const last = patterns.length === 0 ? lastTimes() : {};
if (patterns.length === 0) keepTimes(summary.times);
await summary.print(last, { isComplete: only === undefined && patterns.length === 0 });
process.exitCode = summary.failed === 0 ? 0 : 1;
