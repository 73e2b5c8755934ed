import { parseArgs } from "node:util";
import { containers } from "./containers.ts";
import { ON_REQUEST, notRun } from "./not-run.ts";
import { check, checks, onRequest, ruleCoverage, suite, suites } from "./stages.ts";
import type { Outcome } from "./stages.ts";

const { values, positionals: patterns } = parseArgs({
  options: {
    installed: { type: "string", default: "0.0" },
    only: { type: "string" },
    /** Suites of those that are run on request alone, beside all others. */
    also: { type: "string", multiple: true, default: [] },
    /** Counts every skipped test as failed: for machines that have all that is needed. */
    "nothing-skipped": { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const { only, also, installed, "nothing-skipped": nothingSkipped } = values;
const complete = only === undefined && patterns.length === 0;

const outcomes: Outcome[] = [];
const rows = [`install    ${installed.padStart(7)} s  ok`];

async function stage(name: string, run: () => Promise<Outcome>): Promise<void> {
  console.log(`\n== ${name}`);
  const started = performance.now();
  const outcome = await run().catch((error: unknown) => ({ failed: 1, problems: [String(error)] }));
  outcomes.push(outcome);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  rows.push(`${name.padEnd(10)} ${seconds.padStart(7)} s  ${outcome.failed === 0 ? "ok" : "FAILED"}`);
}

const total = (count: "passed" | "failed"): number =>
  outcomes.reduce((sum, outcome) => sum + (outcome[count] ?? 0), 0);
const all = (lines: "problems" | "passedTitles" | "skippedTitles" | "unsteady"): string[] =>
  outcomes.flatMap((outcome) => outcome[lines] ?? []);

function print(heading: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`\n${heading}\n${lines.map((line) => `  ${line}`).join("\n")}`);
}

const named = only === undefined ? also : [only, ...also];
if (!named.every((name) => [...checks, ...suites].some((known) => known === name))) {
  console.error(`--only and --also take one of: ${[...checks, ...suites].join(", ")}`);
  process.exit(2);
}
for (const name of checks) {
  if (complete || only === name) await stage(name, () => check(name));
}
for (const name of suites) {
  const isOnRequest = onRequest.some((it) => it === name);
  const chosen = only === undefined ? !isOnRequest || also.includes(name) : only === name;
  if (chosen) await stage(name, () => (name === "containers" ? containers(patterns) : suite(name, patterns)));
}
if (complete) await stage("rules", () => ruleCoverage(all("passedTitles")));

const skipped = all("skippedTitles");
/** What not even such a machine need have, a container engine, says so at the start of its title. */
const missed = skipped.filter((title) => !title.startsWith("optional: "));
if (nothingSkipped && missed.length > 0)
  outcomes.push({ failed: missed.length, problems: missed.map((title) => `skipped: ${title}`) });

const tested = complete || patterns.length > 0 || suites.some((name) => name === only);
if (tested && total("passed") + total("failed") === 0)
  outcomes.push({ failed: 1, problems: ["no test ran"] });

print("time", rows);
const left = onRequest.filter((name) => !also.includes(name)).map((name) => ON_REQUEST[name]);
print("not run:", [...(complete ? [...left, ...notRun] : []), ...skipped]);
print("unsteady, failed at first and passed alone:", all("unsteady"));
print("problems:", all("problems"));
console.log(`\n${total("passed")} passed, ${total("failed")} failed`);
process.exitCode = total("failed") === 0 ? 0 : 1;
