import { globSync, readFileSync } from "node:fs";
import type { Outcome } from "./stages.ts";

/**
 * The rules without a test title that starts with them, such as `WS4 a join is answered` or `WS4: a join is
 * answered`.
 */
export function uncoveredRules(rules: readonly string[], passedTitles: readonly string[]): string[] {
  const covered = new Set(passedTitles.map((title) => /^([A-Z]+\d+)[ :]/.exec(title)?.[1]));
  return rules.filter((rule) => !covered.has(rule));
}

const WRITTEN = ["*/src/**/*.{test,contract}.{ts,tsx}", "e2e/suites/**/*.test.ts"];
const ELSEWHERE = ["**/node_modules/**", "e2e/suites/{cluster,faults,containers}/**", "**/*.long.test.ts"];

/** The rules at the start of a title in a file that `npm run test:all` runs. */
function writtenRules(): readonly string[] {
  const files = globSync(WRITTEN, { exclude: ELSEWHERE });
  return files.flatMap((file) => readFileSync(file, "utf8").match(/(?<=["'`])[A-Z]+\d+[ :]/g) ?? []);
}

/** Every rule has a test that passed; where not all suites ran, one that passed or one in a suite that did not run. */
export async function ruleCoverage(passedTitles: readonly string[], allRan: boolean): Promise<Outcome> {
  const { RULES } = await import("@hearth/contracts");
  const unproven = uncoveredRules(RULES, passedTitles);
  const uncovered = allRan ? unproven : uncoveredRules(unproven, writtenRules());
  if (uncovered.length > 0) {
    const problem = `no passed test title starts with ${uncovered.join(", ")}`;
    return { failed: uncovered.length, problems: [problem] };
  }
  if (unproven.length === 0) return { failed: 0 };
  const notes = [`the tests of ${unproven.length} of ${RULES.length} rules: npm run test:all`];
  return { failed: 0, notes };
}
